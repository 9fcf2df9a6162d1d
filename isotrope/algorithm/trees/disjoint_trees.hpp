// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Spanning trees of any network, as many as a node has ports, with one root and no directed link in common.
//
// The root is node 0; a translation serves any other. Tree i leaves the root over port i, and every other node v has
// each of its incoming links in a tree of its own: v is reached in tree i from
//
//     parent = v - generators[p] --p--> v        p = port(v, i), and port(v, .) is a permutation of the ports
//
// so no two trees share a link by construction. The links into the root stay idle.
//
//     ring:5    tree 0: 0 -> 1 -> 2 -> 3 -> 4        tree 1: 0 -> 4 -> 3 -> 2 -> 1        height 4, least
//
// Method: all trees grow at once, breadth first. A node takes in a tree that reaches it as soon as its incoming
// links can be shared out among its trees and the new one without delaying any (augmenting paths in the node's own
// table of links and trees). If nodes wait for each other, one of them moves a tree to a later link, from a node
// that is not below it. At last the trees are lowered: node after node shares out its links anew so that the sum of
// 2^depth over all nodes of all trees is least (an assignment problem, because all nodes below a node move with it),
// until no node gains, no tree exceeds the bound, or the steps run out; then random walks lower the height level by
// level, on networks of up to 2^16 directed links.
//
// Claim: no height is below 1 + the largest distance of a node from a neighbour of the root by ways that avoid the
// root, because tree i is there after one hop; so none is below diameter + 1 for N > 2, and that of a ring is N - 1.
// Heights reached, the largest of the trees, for diameter D:
//
//     hypercube:d, complete:N, hexmesh:2          D + 1: least
//     ring:N                                      N - 1: least
//     torus:k x k, k even, up to 32               D + 1: least; D + 2 for 12, 22, 24 and from 48 on
//     torus:k x k, k odd, up to 23                D + 2, least for 5; D + 1 for 3 and 9
//     torus:k x k x k, up to 12                   D + 1 for even k and 3: least; D + 2 for odd k
//     hexmesh:3 .. hexmesh:20                     D + 2 to D + 5, least for 3 and 4
//     torus:a x b, a >= b, of any size            at most a - 1 + b / 2, as grown
//     every other network tried                   at most 5/2 D; about 2 D on long thin ones (torus:3x64)
//
// "Least" above the bound means that a SAT solver found no lower trees (torus:5x5, hexmesh:4; hexmesh:3 is at the
// bound). The solver also found trees at D + 1 on 7x7, 5x5x5 and at D + 2 on hexmesh:5.
//
// Such trees exist everywhere: J. Edmonds, Edge-disjoint branchings, 1973, and W. Mader, 1971 (the link
// connectivity of a connected vertex-transitive graph is its degree). It is not proved that the growth always finds
// them; it did on every network tried, and find() reports a failure.
// Cost: O(N degree^2) steps to grow, and a bounded number to lower; 8 bytes per directed link, and 24 while
// growing. Sources: the theorems above; Ho and Johnsson 1986, Section 3.2 (hypercubes).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/staggered_trees.hpp"
#include "isotrope/algorithm/trees/tree_groups.hpp"

namespace isotrope::algorithm {

class DisjointTrees {
 public:
  /// The most steps of find(): N * degree^2 for growth, and twice as many for lowering, about a second.
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 24;
  /// Tells whether the growth stays within most_steps.
  static bool affordable(const network::Network& network);

  /// The trees, or nothing if the search fails. @pre affordable(network).
  static std::optional<DisjointTrees> find(const network::Network& network);

  /// The same, kept for the networks that the process asked about last: the search takes longer than most uses of the trees.
  /// Several threads may call this at once. @returns nullptr if the search is not affordable, or fails
  static std::shared_ptr<const DisjointTrees> kept(const network::Network& network);

  /// The number of trees: the degree of the network.
  network::Port count() const { return static_cast<network::Port>(heights_.size()); }
  std::uint32_t height(network::Port tree) const { return heights_[tree]; }
  /// The groups of trees that reach all nodes sooner than their trees do (tree_groups.hpp); empty for a single node.
  const std::vector<GroupLevel>& levels() const { return levels_; }
  /// The last packets of a broadcast whose hops take so many rounds, 1 at least (staggered_trees.hpp); empty for a single node.
  /// Found once for each number; several threads may call this at once.
  const std::vector<StaggeredPacket>& staggered(std::uint64_t hop_rounds) const;

  // The next two take nodes other than 0, and trees below count().

  /// The port over which the parent sends to the node.
  network::Port port(network::Node node, network::Port tree) const { return ports_[index(node, tree)]; }
  /// Hops from node 0, at least 1.
  std::uint32_t depth(network::Node node, network::Port tree) const { return depths_[index(node, tree)]; }

 private:
  DisjointTrees();

  std::size_t index(network::Node node, network::Port tree) const {
    return std::size_t{node} * count() + tree;
  }

  std::vector<network::Node> parents(const network::Network& network) const;  // by node, then tree

  std::vector<std::uint32_t> heights_;  // by tree
  std::vector<network::Port> ports_;    // by node, then tree
  std::vector<std::uint32_t> depths_;   // by node, then tree
  std::vector<GroupLevel> levels_;
  std::vector<network::Node> parents_;  // by node, then tree
  struct Staggered;
  std::shared_ptr<Staggered> staggered_;  // what callers have taken
};

}  // namespace isotrope::algorithm
