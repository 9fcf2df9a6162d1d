// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Balanced spanning trees of shortest paths on any network: every node hangs below a neighbour that is one hop
// nearer to the root, and the subtrees of the root are as equal in size as possible.
//
// Every node has the port of the root in whose subtree it hangs, a port of one of its predecessors:
//
//     torus:3x3, root 0    (0,0)  2+    2-        4 subtrees of 2 nodes each: every predecessor of a corner
//                           1+    1+    2-        offers its own subtree
//                           1-    2+    1-
//
// Method: layer by layer, each node chooses the smallest subtree so far, and then nodes move between subtrees
// (subtree_balance.hpp), at last all over the tree. A sequence of trees evens the sums of the sizes: next() puts
// the larger subtrees where those of the trees before were smaller.
//
// Claim: shortest paths. The largest subtree is not proved least, but on every network of the tests it is:
// max(ceil((N-1) / degree), diameter) nodes, or, if ports are unlike, the size forced by the nodes that shortest
// paths reach over some ports only.
// Cost: O(N degree) and that of subtree_balance.hpp. Memory: 12 bytes per node on top of the layers.
// Sources: Ho and Johnsson 1986, Section 4.1, and Bertsekas et al. 1991, Section 3 (balanced trees of a
// hypercube).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/child_ports.hpp"
#include "isotrope/algorithm/trees/layers.hpp"
#include "isotrope/algorithm/trees/subtree_balance.hpp"

namespace isotrope::algorithm {

class LayeredTree {
 public:
  /// Refers to the network, which must outlive it.
  LayeredTree(const network::Network& network, network::Node root);
  LayeredTree(const LayeredTree&) = delete;
  LayeredTree& operator=(const LayeredTree&) = delete;
  ~LayeredTree() = default;

  network::Node root() const { return layers_.nodes().front(); }
  /// All nodes in order of their depth, the root first.
  std::span<const network::Node> nodes() const { return layers_.nodes(); }
  std::uint32_t depth(network::Node node) const { return layers_.depth(node); }
  std::uint32_t height() const { return layers_.height(); }

  // All below takes nodes other than the root.

  /// The port of the root in whose subtree the node hangs.
  network::Port subtree(network::Node node) const { return subtrees_[node]; }
  /// The parent, and its port to the node.
  Layers::LastHop parent(network::Node node) const { return parents_[node]; }

  /// Becomes the next tree of the sequence.
  void next();

 private:
  network::Port subtree_through(const Layers::LastHop& hop) const;
  void hang_by_layers();
  void hang(network::Node node);
  void find_parents();

  Layers layers_;
  std::vector<network::Port> subtrees_;   // by node
  std::vector<Layers::LastHop> parents_;  // by node
  std::vector<std::uint64_t> loads_;      // by subtree: its nodes in all trees so far
  SubtreeBalance balance_;                // refers to the four above
};

/// The ports from every node to its children, to the higher ones first. Refers to both.
ChildPorts child_ports(const network::Network& network, const LayeredTree& tree);

}  // namespace isotrope::algorithm
