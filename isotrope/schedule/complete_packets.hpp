// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the packets of a stage that reduces and then copies are complete.
//
//     ring:4, packet of node 0     round 0    2 -> 1              {1 2} at 1, {3} at 3, {0} at 0
//                                  round 1    1 -> 0, 3 -> 0      {0 1 2 3} at 0: complete from round 2 on
//                                  round 2    0 -> 1, 0 -> 3      copies of the result
//                                  round 3    1 -> 2
//
// A packet is complete from the first round at whose start its origin holds the only partial result. Before, a hop gives
// a partial result up; from then on it copies the result.
//
// Method: the partial results are followed hop by hop. Cost: O(hops), and a bit per packet and node.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::schedule {

/// Never complete.
inline constexpr std::uint64_t never = UINT64_MAX;

/// The round from which on each packet of `stage`, a stage of `plan`, is complete; by packet. Hops outside the network, or
/// from nodes that hold nothing of the packet, count for nothing.
std::vector<std::uint64_t> complete_from(const Plan& plan, const Stage& stage);

}  // namespace isotrope::schedule
