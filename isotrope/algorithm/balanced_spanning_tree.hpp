// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The balanced spanning tree (BST) of a hypercube.
//
// With c = node ^ root, the base of c is the least number of right rotations that bring c to its least
// rotation. Node c != 0 hangs in the subtree of port base(c); its parent clears the highest one bit of that
// least rotation, rotated back:
//
//     n = 5, c = 01010:   one right rotation gives 00101, the least; base 1; 00001 rotated back is 00010
//
// Children set a bit above that one and keep the base. Subtree sizes are the numbers of necklaces, the
// largest being port 0's: all but equal, and equal (11..1 aside) for prime n, where the tree is the balanced
// tree of Bertsekas et al. Cyclic nodes are leaves. Height n. Cost: O(n) for base and parent, O(n^2) for
// children, nothing stored. Source: Ho and Johnsson 1986, Section 4.1 and Table 5; the example base(011010)
// printed there as 3 is 1.
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/algorithm/node_list.hpp"

namespace isotrope::algorithm {

class BalancedSpanningTree {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit BalancedSpanningTree(std::uint32_t dimension) : dimension_(dimension) {}

  /// The base of the relative address c: its subtree, where c is not 0.
  std::uint32_t base(network::Node c) const;
  /// Nothing for the root.
  std::optional<network::Node> parent(network::Node node, network::Node root) const;
  /// By the bit that is set, cyclically upwards from the base; the root's by port.
  NodeList children(network::Node node, network::Node root) const;

 private:
  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
