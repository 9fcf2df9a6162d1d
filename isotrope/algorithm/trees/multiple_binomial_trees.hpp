// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The multiple spanning binomial trees (MSBT) of a hypercube: n spanning trees with one root that share no
// directed link.
//
// With c = node ^ root, tree j reaches every node as follows, where k is the first one bit of c at j-1, j-2,
// ..., j cyclically:
//
//     c_j = 0    from c with bit j set              (a leaf)
//     c_j = 1    from c with bit k cleared          (internal; from the root where k = j is the only one bit)
//
// So a node with c_j = 1 passes the packet on over the zero bits just above k, cyclically up to j-1, and over
// bit j where k is another bit. Every node but the root has its n incoming links in n different trees, and
// link (c ^ 2^d -> c) belongs to the tree of bit d if c_d = 0, and else of the next one bit of c above d,
// cyclically. Height n + 1 (1 for n = 1).
//
// Labels f number the cycles of a broadcast with one packet a tree, one send and one receive a node at a
// time: inputs later than outputs of the node before, and distinct modulo n at every node. f is the dimension
// of the link, plus n where c_j = 0 or k < j. Cost: O(n) a call, nothing stored. Source: Ho and Johnsson
// 1986, Sections 3.2 and 3.3.2.
#pragma once

#include <optional>

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

class MultipleBinomialTrees {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension, trees below dimension.
  explicit MultipleBinomialTrees(std::uint32_t dimension) : dimension_(dimension) {}

  std::uint32_t dimension() const { return dimension_; }

  /// Nothing for the root.
  std::optional<network::Node> parent(network::Node node, std::uint32_t tree, network::Node root) const;
  NodeList children(network::Node node, std::uint32_t tree, network::Node root) const;
  /// The label f of the link into `node`, 0..2n-1. @pre node != root.
  std::uint32_t label(network::Node node, std::uint32_t tree, network::Node root) const;

  /// The tree that reaches the node of relative address c != 0 over dimension d.
  std::uint32_t tree_of_link(network::Node c, std::uint32_t d) const;
  /// The depth in `tree` of the node of relative address c != 0.
  std::uint32_t depth(network::Node c, std::uint32_t tree) const;

 private:
  // k of the head, for c != 0.
  std::uint32_t first_one_below(network::Node c, std::uint32_t tree) const;

  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
