// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The exchange of one part, repeated for every part of the vector at equal intervals of rounds.
//
//     one part uses a link in rounds 0 and 1    interval 2    part 0 in rounds 0 and 1, part 1 in 2 and 3, ...
//     one part uses a link in rounds 0 and 3    interval 2    part 0 in rounds 0 and 3, part 1 in 2 and 5, ...
//
// The interval is the least one in which no link and no node has more to do than in one round. In aggregated rounds all
// parts go together, and the interval is 0.
//
// Cost: O(parts * hops), and O(rounds * hops) for the interval.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// @pre in both: `one_part` is a valid exchange of one part and one stage whose hops are all listed; ports are not half
/// duplex
std::uint64_t part_interval(const network::Network& network, const schedule::Schedule& one_part);
schedule::Schedule repeated_parts(const network::Network& network, const schedule::Schedule& one_part,
                                  std::uint32_t parts);

}  // namespace isotrope::algorithm
