// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Single node scatter along a spanning tree level by level: all ports, combining rounds.
//
// In step s = 0..h-1, for height h, the root sends the packets for depth h - s, and every packet under way takes
// its next edge, so all arrive in the last step. The packets that share a link in a step travel as one message; if
// only m packets fit into a message, the step takes as many rounds as its fullest link needs:
//
//     h = 3         step 0    step 1    step 2             depth of the destinations
//     root             3         2         1
//     depth 1                    3         2
//     depth 2                              3
//
// With unbounded messages the scatter takes h start-ups, and the loads of the rounds sum to the least that the
// root needs, its largest subtree: N/2 under the binomial tree of a hypercube, (number of necklaces) - 1 under the
// balanced one, because no lower node carries more in a step than the root. Cost: O(hops).
// Source: Ho and Johnsson 1986, Lemma 4.2 and Section 4.2.2. Claim: those loads, in the tests.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/rooted_tree.hpp"

namespace isotrope::algorithm {

/// The schedule for `parts` >= 1 packets per destination and messages of at most `merge` >= 1 packets: one
/// stage, moved, not replicated.
schedule::Schedule level_scatter(const network::Network& network, const RootedTree& tree, std::uint32_t parts,
                                 std::uint64_t merge);

}  // namespace isotrope::algorithm
