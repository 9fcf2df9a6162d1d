// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast and allgather by the plans of an allreduce by levels (level_plan.hpp).
//
//     broadcast    the divisions scatter the blocks of the root: a node that has blocks sends to each partner those of
//                  the component of the partner. Then every block spreads through the component that owns it, by the
//                  programs backwards. Then the divisions backwards gather all blocks everywhere
//     allgather    the same without the scatter: a block is those of all nodes of the component
//
//     ring:4, division x ^ 1, program 0 <-> 3, 1 <-> 2, root 0
//         scatter      0 sends block 1 to 1
//         program      0 sends block 0 to 3, 1 sends block 1 to 2
//         gather       0 sends block 0 to 1, 2 and 3 exchange both
//
// Backwards, a step goes along the inverse permutations; a node sends all it has of the block that its receiver lacks.
// Every contribution reaches every node in the programs, so every packet of any root does backwards, and far messages
// come first, as long as few nodes have packets. Every node receives every packet once.
//
// Several copies of a plan run in the same rounds.
//
// Cost: O(N r blocks) per division, O(N) per packet and permutation of the programs.
#pragma once

#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/levels/level_plan.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

/// The broadcast from `root` by `copies`: block_count parts per copy, those of the first copy first.
/// @pre at least one copy; all have as many blocks, and permutations of the nodes of the network.
/// @throws Error if a division does not split its components
OverlaidSchedule broadcast_by_levels(const network::Network& network, network::Node root,
                                     std::span<const LevelPlan> copies, schedule::PortModel ports);

/// The allgather by `copies`, with a part per copy. Packet origin * copies + copy. @pre and @throws as above.
OverlaidSchedule allgather_by_levels(const network::Network& network, std::span<const LevelPlan> copies,
                                     schedule::PortModel ports);

/// The counts of allgather_by_levels, without writing it. Cost: O(N^2 / 64) per copy and permutation.
/// @pre as above, and divisions split their components
ExchangeCounts count_allgather_by_levels(const network::Network& network, std::span<const LevelPlan> copies);

}  // namespace isotrope::algorithm
