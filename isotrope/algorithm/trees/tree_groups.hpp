// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of link-disjoint spanning trees of one root (disjoint_trees.hpp) that carry the last packets of a pipeline together.
//
// A packet of a group leaves the root over the links of all its trees. Every node takes it from the tree of the group in which the
// node is least deep, in the round, counted from the start, in which a packet of this tree alone would come. So it is everywhere
// after as many rounds as the group is high, which may be less than each of its trees is:
//
//     ring:9     tree 0, height 8     0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8
//                tree 1, height 8     0 -> 8 -> 7 -> 6 -> 5 -> 4 -> 3 -> 2 -> 1
//                both, height 4       0 -> 1 -> 2 -> 3 -> 4,   0 -> 8 -> 7 -> 6 -> 5
//
// The parent of a node in this tree has the packet a round before, or earlier, from another tree; then the packet waits there. A link
// is used in the same round after the start by all packets that use it, so packets that start in different rounds never meet.
//
// Method: a tree covers the nodes that are no deeper in it than the height. For a height, trees that cover all nodes are groups; to
// each tree left, those that cover most of what is not covered yet are added until all is covered, or no trees are left.
// Claim: as many groups as trees for the greatest height of a tree. For lower ones none; more groups may exist.
// Cost: O(degree^2 N / 64 + degree N) a height that a group has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// Groups without a tree in common, none higher than `height`.
struct GroupLevel {
  std::uint32_t height = 0;
  bool waits = false;                                   ///< whether packets wait at nodes
  std::vector<std::vector<network::Port>> groups = {};  ///< the trees of each; at least one group

  bool operator==(const GroupLevel&) const = default;
};

/// The greatest height first, each with fewer groups than the one before it. `depths` and `parents` are by node, then by tree, those of
/// the root, node 0, first and meaningless. @pre both are as many, a multiple of `trees` >= 1
std::vector<GroupLevel> group_levels(std::span<const std::uint32_t> depths,
                                     std::span<const network::Node> parents, network::Port trees);

}  // namespace isotrope::algorithm
