// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce by levels: reduce-scatter over some divisions of the nodes, register programs inside the smallest
// components, and the divisions backwards as an allgather.
//
// In the reduce-scatter node x sends to its partner y the blocks of the component of y (level_plan.hpp):
//
//     ring:4      division x ^ 1    {0 1 2 3} -> {0 3} {1 2}    0 sends block {1 2} to 1, and 1 sends block {0 3} to 0
//                 program           0 <-> 3, 1 <-> 2            the whole sum of the block
//                 division x ^ 1                                0 sends block {0 3} to 1, and so on
//
// Several copies of a plan, each for a share of the vector, run in the same rounds.
//
// Cost: O(N r) per block and division. Correctness follows from the components, which are checked; the checker proves
// every schedule.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"
#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

/// The allreduce by `copies`, on `network`. The vector has block_count parts per copy, those of the first copy first.
/// @pre at least one copy; all have as many blocks, and permutations of the nodes of the network.
/// @throws Error if a division does not split its components
OverlaidSchedule exchange_by_levels(const network::Network& network, std::span<const LevelPlan> copies,
                                    schedule::PortModel ports);

/// What that allreduce sends and adds.
struct ExchangeCounts {
  schedule::OverlayMessages messages;
  std::uint32_t parts = 1;       ///< of the vector, of which messages count packets
  std::uint64_t reductions = 0;  ///< of whole vectors, by one node
};

/// The counts of exchange_by_levels, without writing it. Cost: O(N r) per copy and division. @pre divisions split their components
ExchangeCounts count_by_levels(const network::Network& network, std::span<const LevelPlan> copies);

}  // namespace isotrope::algorithm
