// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which incoming link of a node belongs to which of the link-disjoint trees (disjoint_trees.hpp), while that
// changes. The root is node 0.
//
// Trees number like ports: by the root's port. A node has every tree at most once, over a link of its own,
// and keeps its depth in it; where a node gets another link, the depths of all that hang below it follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

class LinkTable {
 public:
  using Node = network::Node;
  using Port = network::Port;
  using Tree = Port;

  /// The table refers to the network.
  explicit LinkTable(const network::Network& network)
      : network_(&network),
        degree_(network.degree()),
        sources_(network.directed_links()),
        trees_(network.directed_links(), degree_),
        ports_(network.directed_links(), degree_),
        depths_(network.directed_links(), 0),
        tried_(degree_, 0) {
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < degree_; ++port)
        sources_[at(node, port)] = network.neighbour(node, network.opposite(port));
    }
  }

  Node order() const { return network_->order(); }
  Port degree() const { return degree_; }
  Node source(Node node, Port port) const { return sources_[at(node, port)]; }
  Node target(Node node, Port port) const { return sources_[at(node, network_->opposite(port))]; }

  bool has(Node node, Tree tree) const { return depths_[at(node, tree)] != 0; }
  Port port(Node node, Tree tree) const { return ports_[at(node, tree)]; }
  Node parent(Node node, Tree tree) const { return source(node, port(node, tree)); }
  std::uint32_t depth(Node node, Tree tree) const { return depths_[at(node, tree)]; }
  std::uint32_t greatest_depth() const { return *std::max_element(depths_.begin(), depths_.end()); }

  /// Shares out the node's incoming links such that the tree, which has none, has one and every other tree
  /// keeps one; whatever gets another has an allowed(tree, port). False, and nothing is changed, where that is
  /// impossible. @pre no link from a node that is below this one in a tree is allowed for that tree.
  template <class Allowed>
  bool take_in(Node node, Tree tree, const Allowed& allowed) {
    ++attempt_;
    if (!find_link(node, tree, allowed)) return false;
    settle(node);
    return true;
  }

  /// Whether `node` is `above` or below it. @pre the tree has both.
  bool below(Node node, Node above, Tree tree) {
    while (depth(node, tree) > depth(above, tree)) {
      node = parent(node, tree);
      ++steps_;
    }
    return node == above;
  }

  /// Calls visit(depth) for the node and all below it. @pre the tree has the node.
  template <class Visit>
  void visit_depths(Node node, Tree tree, const Visit& visit) {
    walk_below(node, tree, [&](Node at_hand) {
      visit(depth(at_hand, tree));
      return true;
    });
  }

  /// Gives every tree a new incoming link of the node. @pre none comes from below the node in that tree.
  void share_out(Node node, std::span<const Port> ports) {
    for (Tree tree = 0; tree < degree_; ++tree) enter(node, tree, ports[tree]);
    settle(node);
  }

  /// What the search has cost so far: nodes looked at on walks along trees, and what is added.
  std::uint64_t steps() const { return steps_; }
  void add_steps(std::uint64_t steps) { steps_ += steps; }

  /// By node, then tree; the table has them no more.
  std::vector<Port> take_ports() { return std::move(ports_); }
  std::vector<std::uint32_t> take_depths() { return std::move(depths_); }

 private:
  std::size_t at(Node node, Port port_or_tree) const { return std::size_t{node} * degree_ + port_or_tree; }

  void enter(Node node, Tree tree, Port port) {
    trees_[at(node, port)] = tree;
    ports_[at(node, tree)] = port;
  }

  // An augmenting path in the table of one node.
  template <class Allowed>
  bool find_link(Node node, Tree tree, const Allowed& allowed) {
    for (Port port = 0; port < degree_; ++port) {
      if (tried_[port] == attempt_ || !allowed(tree, port)) continue;
      tried_[port] = attempt_;
      const Tree holder = trees_[at(node, port)];
      if (holder != degree_ && !find_link(node, holder, allowed)) continue;
      enter(node, tree, port);
      return true;
    }
    return false;
  }

  // Sets the depths of the node and of what is below it.
  void settle(Node node) {
    for (Tree tree = 0; tree < degree_; ++tree) {
      if (port(node, tree) == degree_) continue;
      walk_below(node, tree, [&](Node at_hand) {
        const std::uint32_t now = depth(parent(at_hand, tree), tree) + 1;
        return std::exchange(depths_[at(at_hand, tree)], now) != now;
      });
    }
  }

  // Visits a node and those below it, parents first; not what is below a node whose visit returns false.
  template <class Visit>
  void walk_below(Node node, Tree tree, const Visit& visit) {
    walk_.assign(1, node);
    while (!walk_.empty()) {
      const Node at_hand = walk_.back();
      walk_.pop_back();
      ++steps_;
      if (!visit(at_hand)) continue;
      for (Port port = 0; port < degree_; ++port) {
        const Node next = target(at_hand, port);
        if (trees_[at(next, port)] == tree) walk_.push_back(next);
      }
    }
  }

  const network::Network* network_;
  Port degree_;
  std::vector<Node> sources_;          // by node, then port: where the incoming link comes from
  std::vector<Tree> trees_;            // by node, then port: the tree of the incoming link, or degree_
  std::vector<Port> ports_;            // by node, then tree: the incoming link, or degree_
  std::vector<std::uint32_t> depths_;  // by node, then tree: 0 for the root and where not in the tree
  std::vector<std::uint64_t> tried_;   // by port: the last attempt that looked at it
  std::uint64_t attempt_ = 0;
  std::vector<Node> walk_;
  std::uint64_t steps_ = 0;
};

}  // namespace isotrope::algorithm
