// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The weights of shares of the data that go through the rounds of a plan by themselves (schedule/plan.hpp), on machines whose
// start-ups occupy no link: while the message of one share starts up, those of others use the link.
//
//     together    start-up |==========|........|==========|........      a round takes a start-up and all bytes
//
//     1 : 2       start-up |==========|........|==|===|...|==|===|
//                                 a b      a starts up here, b sends     a round takes a start-up and b, or all bytes
//
// Shares begin together and have the link in common, so equal ones would end together, and start up together again. Of k shares
// in the ratio of 1/k, 1/(k - 1), ..., 1/2, 1, each ends its first message as long after the one before as that one takes alone:
// k - j of them send (k - j) (1/(k - j) - 1/(k - j + 1)) = 1/(k - j + 1) meanwhile. So in the next rounds each has the link for
// itself, and a round takes a start-up and the bytes of the largest share, 1/(1 + 1/2 + ... + 1/k) of all, or all bytes if that is
// more. Smaller shares have shorter rounds, so later they meet the larger ones again: routed_completion.hpp follows them.
//
// If the bytes of a round take longer than a start-up, any shares that are out of step keep the links busy, and staggered ones end
// apart: the largest is alone for its last rounds. Graded shares, in the ratio of g : g + 1 : ..., come out of step within a few
// rounds and end nearly together: 256 KiB on ring:27, in 26 rounds of 9.7 us and a start-up of 1 us, take 267 us in 1 : 2 and 256 us
// in 6 : 7 : 8.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

/// Whether messages of some shares may use the links while others start up: a node uses all its ports at once, start-ups occupy no
/// link, and links take longer for a byte than processors, are alike, and have one user each.
bool gains_by_shares(const Machine& machine, schedule::PortModel ports);

/// The most shares that are worth a try: a seventh one takes 2 percent of its bytes off a round.
inline constexpr std::uint32_t most_shares = 6;

/// The weights of `count` = 2..most_shares shares whose messages follow each other, ascending.
std::vector<std::uint32_t> staggered_shares(std::uint32_t count);

/// The weights of `count` shares from `first` >= 1 on, each one more than the one before.
std::vector<std::uint32_t> graded_shares(std::uint32_t count, std::uint32_t first);

/// The bytes of a part of every share of `block_bytes` bytes, each in `parts` parts, rounded up. No shares: of all together.
std::vector<std::uint64_t> part_bytes_of_shares(std::uint64_t block_bytes, std::uint64_t parts,
                                                std::span<const std::uint32_t> shares);

}  // namespace isotrope::cost
