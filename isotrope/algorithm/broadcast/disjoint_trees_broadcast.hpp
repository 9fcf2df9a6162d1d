// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of P packets over all ports at once, on any network, along trees that share no directed link.
//
// The packets are dealt to the trees. Each tree is a pipeline: a packet that starts in round s reaches a node at
// depth a of the tree in round s + a - 1. No link is in two trees, so no two hops conflict.
//
//     heights 4, 4, 5, P = 7, 6 rounds        tree 0, height 4    packets 0 1 2   start in rounds 0 1 2
//                                             tree 1, height 4    packets 3 4 5   start in rounds 0 1 2
//                                             tree 2, height 5    packet  6       starts in round 0
//
// In R rounds a tree of height h carries R - h + 1 packets; R is the least number with a total of P. With equal
// heights R = ceil(P / degree) + h - 1, against the bound ceil(P / degree) + diameter - 1. So the loss depends on
// the heights alone: one round on hypercubes (as the MSBT broadcast) and on complete networks, for any P. One tree
// of shortest paths takes P + diameter - 1 rounds.
//
// Cost: O(hops) on top of the trees. Source: Ho and Johnsson 1986, Section 3.3.2, with the trees of
// disjoint_trees.hpp in place of those of the hypercube.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/disjoint_trees.hpp"

namespace isotrope::algorithm {

/// The broadcast of `parts` >= 1 packets from `root` under all ports, along the trees of the network
/// translated to the root. One stage, copied, not replicated.
schedule::Schedule disjoint_trees_broadcast(const network::Network& network, network::Node root,
                                            std::uint32_t parts, const DisjointTrees& trees);

/// The rounds of that schedule. Cost: O(degree).
std::uint64_t disjoint_trees_broadcast_rounds(const DisjointTrees& trees, std::uint32_t parts);

}  // namespace isotrope::algorithm
