// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which the root of a scatter sends the blocks of its destinations.
//
//     descending             by relative address, N-1 first, 1 last
//     reverse-breadth-first  by depth in the tree, the farthest first
//     postorder              subtree by subtree, every node after those below it
//     preorder               subtree by subtree, every node before those below it (depth first)
//     cyclic                 the subtrees of the root by turns, each in reverse breadth-first order
//     cyclic-...             the subtrees by turns, each in the order named
//
// A subtree without further destinations is skipped. Preorder starts near nodes first, so it ends later than the
// others; it serves for comparison. Cost: O(N).
// Source: Ho and Johnsson 1986, Sections 4.2.2 and 5.2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/algorithm/trees/rooted_tree.hpp"

namespace isotrope::algorithm {

struct RootOrder {
  enum class Sequence { descending, reverse_breadth_first, postorder, preorder };

  Sequence sequence = Sequence::reverse_breadth_first;
  bool by_turns = false;

  bool operator==(const RootOrder&) const = default;
};

/// "postorder", "cyclic", "cyclic-postorder", ...
std::string to_string(RootOrder order);

/// The inverse of to_string, which also reads "cyclic-reverse-breadth-first" for "cyclic".
/// @throws Error for anything else, with the nearest names.
RootOrder parse_root_order(std::string_view name);

/// The tree nodes other than the root, by number, in this order. @pre the tree spans the network.
std::vector<std::uint32_t> destinations(const network::Network& network, const RootedTree& tree,
                                        RootOrder order);

}  // namespace isotrope::algorithm
