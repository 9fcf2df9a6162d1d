// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of P packets over all ports at once, on any network, along trees that share no directed link.
//
// The packets are dealt to the trees. Each tree is a pipeline: a packet that starts in round s reaches a node at
// depth a of the tree in round s + a - 1. No link is in two trees, so no two hops conflict. The last packets, for which the
// trees are too high, go along several trees at once, which are lower together (tree_groups.hpp):
//
//     ring:9, P = 8, 8 rounds        tree 0, height 8            packet  0           starts in round  0
//                                    tree 1, height 8            packet  1           starts in round  0
//                                    both together, height 4     packets 2 3 4 5     start in rounds  1 2 3 4
//
// In R rounds a group of height h carries R - h + 1 packets, less those before it that took one of its trees; R is the least
// number with a total of P. With equal heights of the trees R = ceil(P / degree) + h - 1, against the bound
// ceil(P / degree) + diameter - 1, if no groups are lower. So the loss depends on the heights alone: at most one round on
// hypercubes (as the MSBT broadcast) and on complete networks, for any P. One tree of shortest paths takes P + diameter - 1 rounds.
//
// Or the last packets enter several trees one after the other (staggered_trees.hpp), if that takes fewer rounds: on rings, even tori
// and cubes as few as the bound for many packets.
//
// If a hop takes several rounds, as in pipelined execution with a window of as many messages, packets begin to go along several
// trees that many times earlier: `hop_rounds` times as many of them. In rounds of one hop each this makes the schedule longer.
// Groups whose packets wait at nodes are left out then. With 0 no packet goes along several trees.
//
// Cost: O(hops) on top of the trees. Source: Ho and Johnsson 1986, Section 3.3.2, with the trees of
// disjoint_trees.hpp in place of those of the hypercube; the groups and the staggered packets are the project's.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/disjoint_trees.hpp"

namespace isotrope::algorithm {

/// The broadcast of `parts` >= 1 packets from `root` under all ports, along the trees of the network
/// translated to the root. One stage, copied, not replicated. The order of the packets is that for hops of
/// `hop_rounds` rounds.
schedule::Schedule disjoint_trees_broadcast(const network::Network& network, network::Node root,
                                            std::uint32_t parts, const DisjointTrees& trees,
                                            std::uint32_t hop_rounds = 1);

/// The rounds of that schedule. Cost: O(degree).
std::uint64_t disjoint_trees_broadcast_rounds(const DisjointTrees& trees, std::uint32_t parts,
                                              std::uint32_t hop_rounds = 1);

}  // namespace isotrope::algorithm
