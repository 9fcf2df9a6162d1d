// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Personal packets in a given number of rounds, if the search finds how: packets are put, one after the other, into what
// the rounds still have free.
//
//     a packet    takes the fewest hops by which it arrives in time, of these the earliest; it may wait anywhere and go
//                 any way round. Found level by level: the earliest arrival at every node with 0, 1, 2, ... hops
//     a pass      all packets in some order; those that do not arrive in time are left out
//     next        the packets left out come first in the next pass ("squeaky wheel"), two others change places by
//                 chance. The first pass has the farthest packets first
//
// Claim: none; on small tasks it finds the rounds of exhaustion in most cases.
// Cost of a pass: packets times hops times links. Memory: rounds times links.
// Source: D. E. Joslin, D. P. Clements, Squeaky wheel optimization, JAIR 10, 1999, for the order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// Rounds for `packets`, at most `rounds` of them; nothing if `passes` passes find none or the budget is spent.
/// @pre the packets are between nodes that are up.
std::optional<schedule::Rounds> route_by_deadline(const network::SurvivingNetwork& network,
                                                  std::span<const schedule::Packet> packets,
                                                  schedule::PortModel ports, std::uint64_t rounds,
                                                  std::uint32_t passes, std::uint32_t seed,
                                                  SearchBudget& budget);

}  // namespace isotrope::algorithm
