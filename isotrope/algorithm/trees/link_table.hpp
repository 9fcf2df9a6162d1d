// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The incoming links of the nodes and the link-disjoint trees (disjoint_trees.hpp) that own them, while trees change.
// The root is node 0.
//
// Trees have the numbers of the root's ports. A node has every tree at most once, over a link of its own, with its
// depth in that tree. If a node gets another link, the depths of all nodes below it follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/least_assignment.hpp"

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

  /// Shares out the node's incoming links so that the tree, which has none, gets one and every other tree keeps
  /// one; every new link satisfies allowed(tree, port). Returns false and changes nothing if that is impossible.
  /// @pre allowed() refuses links from nodes that are below this node in the tree.
  template <class Allowed>
  bool take_in(Node node, Tree tree, const Allowed& allowed) {
    ++attempt_;
    if (!find_link(node, tree, allowed)) return false;
    settle(node);
    return true;
  }

  /// Tells whether `node` is `above` or below it. @pre the tree has both.
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

  /// The cost of the search so far: nodes looked at on walks along trees, and the steps added.
  std::uint64_t steps() const { return steps_; }
  void add_steps(std::uint64_t steps) { steps_ += steps; }

  /// By node, then tree. Moved out of the table.
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

  // Sets the depths of the node and of all below it.
  void settle(Node node) {
    for (Tree tree = 0; tree < degree_; ++tree) {
      if (port(node, tree) == degree_) continue;
      walk_below(node, tree, [&](Node at_hand) {
        const std::uint32_t now = depth(parent(at_hand, tree), tree) + 1;
        return std::exchange(depths_[at(at_hand, tree)], now) != now;
      });
    }
  }

  // Visits a node and all below it, parents first, except those below a node whose visit returns false.
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
  std::vector<Node> sources_;          // by node, then port: the sender of the incoming link
  std::vector<Tree> trees_;            // by node, then port: the tree of the incoming link, or degree_
  std::vector<Port> ports_;            // by node, then tree: the incoming link, or degree_
  std::vector<std::uint32_t> depths_;  // by node, then tree: 0 for the root and outside the tree
  std::vector<std::uint64_t> tried_;   // by port: the last attempt that looked at it
  std::uint64_t attempt_ = 0;
  std::vector<Node> walk_;
  std::uint64_t steps_ = 0;
};

/// The incoming links of one node, shared out among the trees anew at the least price.
///
///     price(tree, link)    the price of the depths of the node and of all below it in that tree, if they hang
///                          on that link; infinite if the link comes from below the node
///
/// Every tree gets one link, so the least sum of prices is an assignment problem. The nodes below in one tree move
/// along, and no other tree changes: the sum is exact.
class LinkExchange {
 public:
  using Node = LinkTable::Node;
  using Port = LinkTable::Port;
  using Tree = LinkTable::Tree;

  /// Refers to the table. @pre the trees span.
  explicit LinkExchange(LinkTable& links)
      : links_(links), prices_(std::size_t{links.degree()} * links.degree()) {}

  /// Prices all links of the node for all trees. pricing(depths) is called once per tree, with the depths of the
  /// node and of all below it, and returns price(deeper): the price, at least 0, if each is so much deeper.
  template <class Pricing>
  void weigh(Node node, const Pricing& pricing) {
    node_ = node;
    present_ = 0;
    for (Tree tree = 0; tree < links_.degree(); ++tree) {
      depths_.clear();
      links_.visit_depths(node, tree, [this](std::uint32_t depth) { depths_.push_back(depth); });
      weigh_links(tree, pricing(std::span<const std::uint32_t>(depths_)));
      present_ += price(tree, links_.port(node, tree));
    }
  }

  /// The price of the present links.
  double present() const { return present_; }

  /// Tells whether any tree alone has a cheaper link.
  bool any_cheaper() const {
    for (Tree tree = 0; tree < links_.degree(); ++tree) {
      const auto row = std::span(prices_).subspan(at(tree, 0), links_.degree());
      if (*std::min_element(row.begin(), row.end()) < row[links_.port(node_, tree)]) return true;
    }
    return false;
  }

  /// The ports of the trees, by tree, at the least sum of prices, which is at most present().
  std::vector<Port> least() {
    // A limit above all useful prices, but no higher, for precision.
    for (double& price : prices_) price = std::min(price, 2 * present_);
    links_.add_steps(prices_.size() * links_.degree());
    return least_assignment(prices_, links_.degree());
  }

  double sum(std::span<const Port> ports) const {
    double result = 0;
    for (Tree tree = 0; tree < links_.degree(); ++tree) result += price(tree, ports[tree]);
    return result;
  }

 private:
  template <class Price>
  void weigh_links(Tree tree, const Price& price_of) {
    const int depth = static_cast<int>(links_.depth(node_, tree));
    for (Port port = 0; port < links_.degree(); ++port) {
      const Node source = links_.source(node_, port);
      const bool barred = source == 0 ? port != tree : links_.below(source, node_, tree);
      prices_[at(tree, port)] = barred ? std::numeric_limits<double>::infinity()
                                       : price_of(static_cast<int>(links_.depth(source, tree)) + 1 - depth);
    }
  }

  std::size_t at(Tree tree, Port port) const { return std::size_t{tree} * links_.degree() + port; }
  double price(Tree tree, Port port) const { return prices_[at(tree, port)]; }

  LinkTable& links_;
  Node node_ = 0;
  double present_ = 0;
  std::vector<double> prices_;  // by tree, then port
  std::vector<std::uint32_t> depths_;
};

}  // namespace isotrope::algorithm
