// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The last packets of a broadcast along link-disjoint trees (disjoint_trees.hpp), each over several trees, which it enters one
// after the other.
//
// In the last rounds a tree is too high: a packet that enters it with L rounds left reaches the nodes of depth L at most. Those
// that it leaves out get the packet from another tree, which may be entered later, as they are near the root there:
//
//     ring:9, trees of height 8           L = 8       tree 0 or tree 1 alone, to all nodes
//     0 -> 1 -> 2 -> .. -> 8              L = 7, 1    tree 0 to nodes 1 .. 7, and tree 1 to node 8
//     0 -> 8 -> 7 -> .. -> 1              L = 6, 2    tree 0 to nodes 1 .. 6, and tree 1 to nodes 8 and 7
//                                         L = 5, 3 and the same the other way round; L = 4, 4
//
// All seven last rounds carry 7 packets over both links of the root, where packets that enter both trees at once (tree_groups.hpp)
// are 4. If a hop takes w rounds, a packet with L rounds left reaches depth 1 + (L - 1) / w.
//
// The nodes that take a packet from a tree have their ancestors there among them. So a packet never waits at a node, and its hops
// are those of a tree; and two packets that use a link entered its tree in different rounds, so they never meet.
//
// Method: the entries with most rounds left first. An entry takes, of all trees, the one whose later entry it can do with that has
// the fewest rounds left; if none does, two of them, so that the first one takes most nodes. An entry that finds none is left out.
// Claim: never fewer packets than if trees are entered at once by groups of one or two. On rings the most: as many as the bound
// on rounds admits.
// Cost: O(degree^2 N) a depth for pairs, degree times as much for triples; no packets if that exceeds 2^21.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// A packet enters a tree.
struct TreeEntry {
  network::Port tree = 0;
  std::uint64_t left = 0;  ///< rounds, that of the entry included
};

/// The entries of a packet, the first one first, and the tree from which every node takes it; of the root, node 0, no meaning.
struct StaggeredPacket {
  std::vector<TreeEntry> entries = {};
  std::vector<network::Port> tree_of = {};
  /// From the first entry until it is everywhere, if every hop takes a round.
  std::uint64_t rounds = 0;

  std::uint64_t left() const { return entries.front().left; }
  /// How long after the first entry the tree is entered. @pre it is
  std::uint64_t delay(network::Port tree) const;
};

/// The packets of the last `hop_rounds` (H - 1) rounds for trees of height H at most, those that begin first first; empty if they
/// take too long to find. `depths` and `parents` are by node, then by tree, those of the root, node 0, first and meaningless.
/// @pre both are as many, a multiple of `trees` >= 1; hop_rounds >= 1
std::vector<StaggeredPacket> staggered_packets(std::span<const std::uint32_t> depths,
                                               std::span<const network::Node> parents, network::Port trees,
                                               std::uint64_t hop_rounds);

}  // namespace isotrope::algorithm
