// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The two-rooted complete binary tree (TCBT) as a spanning tree of a hypercube: two complete binary trees of
// 2^(n-1) - 1 nodes below two adjacent roots r1 and r2, where r1 is the root and r2 its first child.
//
//     r1 --- r2      from the m-cube to the (m+1)-cube: a copy of the tree, moved by an isometry ph that
//     |      |       fixes r2 and brings r1 to c2, so that ph(c2) = r1 + 2^m and ph(r1) = c2 + 2^m. Cut r1,
//     c1     c2      r2, c1, c2 and their copies out of the two trees, and join them anew around r2 and
//    /  \   /  \     ph(r2), the next r1 and r2:
//
//     c1 <- r1 -> ph(c2)      r1 <- r2 -> ph(r2) -> ph(r1)      c2 <- ph(r1) -> ph(c1)
//
// For one node the construction is followed down the levels, so parent and children are local. Height n;
// every node has at most two children. Cost: O(n) a call, 16 bytes a dimension stored. Source: the tree is
// that of Ho and Johnsson 1986, Section 3.4; they cite embeddings, this one is constructed here.
#pragma once

#include <array>
#include <optional>

#include "isotrope/algorithm/node_list.hpp"

namespace isotrope::algorithm {

class TwoRootedTree {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit TwoRootedTree(std::uint32_t dimension);

  /// Nothing for the root.
  std::optional<network::Node> parent(network::Node node, network::Node root) const;
  /// At most two; the second root first.
  NodeList children(network::Node node, network::Node root) const;

 private:
  using Node = network::Node;

  // The four nodes at the top of the tree of an m-cube, before its root is moved to 0.
  struct Top {
    Node r1, r2, c1, c2;

    bool contains(Node node) const { return node == r1 || node == r2 || node == c1 || node == c2; }
  };
  // The tree of the (m+1)-cube adds these edges to those kept of the two trees of the m-cube.
  struct Edge {
    Node child, parent;
  };

  Node copied(std::uint32_t m, Node node) const;
  Node original(std::uint32_t m, Node node) const;
  std::array<Edge, 7> joints(std::uint32_t m) const;
  Node parent_in(std::uint32_t m, Node node) const;
  NodeList children_in(std::uint32_t m, Node node) const;

  std::uint32_t dimension_;
  std::array<Top, NodeList::most + 1> tops_{};  // by m, from 2
};

}  // namespace isotrope::algorithm
