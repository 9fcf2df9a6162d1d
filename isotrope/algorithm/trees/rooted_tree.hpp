// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A spanning tree of any network, numbered level by level from its root.
//
// Tree nodes have the numbers 0 (the root), 1, 2, ... in breadth-first order. Of the children of a node the higher
// ones come first, of equally high ones the larger, of these the first in the given list. So the children of a node
// have consecutive numbers, and numbers grow with depth:
//
//     numbers      0                 children(0) = [1, 4), children(1) = [4, 6), children(2) = [6, 7)
//                 / | \.             subtree_size(1) = 3, height(1) = 1, depth(4) = 2
//                1  2  3
//               / \  \.
//              4   5  6
//
// Cost: O(N), 32 bytes per node.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/child_ports.hpp"

namespace isotrope::algorithm {

class RootedTree {
 public:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };

  /// @pre the child ports of all nodes span a tree below `root`.
  RootedTree(const network::Network& network, network::Node root, const ChildPorts& child_ports);

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

  // All below takes and gives numbers of tree nodes, below size().

  /// The network's node.
  network::Node node(std::uint32_t i) const { return nodes_[i]; }
  /// @pre i > 0; so for port().
  std::uint32_t parent(std::uint32_t i) const { return parents_[i]; }
  /// The port over which the parent sends to i.
  network::Port port(std::uint32_t i) const { return ports_[i]; }
  std::uint32_t depth(std::uint32_t i) const { return depths_[i]; }
  /// Edges to the farthest node below i.
  std::uint32_t height(std::uint32_t i) const { return heights_[i]; }
  /// Nodes below i and i itself.
  std::uint32_t subtree_size(std::uint32_t i) const { return sizes_[i]; }
  /// The numbers of the children.
  Range children(std::uint32_t i) const { return {first_children_[i], first_children_[i + 1]}; }
  /// The place of i in preorder, children in order of their numbers.
  std::uint32_t preorder(std::uint32_t i) const { return preorder_[i]; }
  /// The child of i on the way to `below`, a node below i. Cost: O(log children).
  std::uint32_t child_towards(std::uint32_t i, std::uint32_t below) const;

 private:
  void list_by_levels(const network::Network& network, network::Node root, const ChildPorts& child_ports);
  void measure();
  void higher_children_first();
  void number_in_preorder();

  std::vector<network::Node> nodes_;
  std::vector<std::uint32_t> parents_;
  std::vector<network::Port> ports_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::uint32_t> heights_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> first_children_;  // one more than nodes
  std::vector<std::uint32_t> preorder_;
};

}  // namespace isotrope::algorithm
