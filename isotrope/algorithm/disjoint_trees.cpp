// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/disjoint_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "isotrope/algorithm/least_assignment.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

// Trees number like ports: by the root's port.
using Tree = Port;

// Which incoming link of a node belongs to which tree, while that changes.
class LinkTable {
 public:
  explicit LinkTable(const Network& network)
      : network_(network),
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

  Node order() const { return network_.order(); }
  Port degree() const { return degree_; }
  Node source(Node node, Port port) const { return sources_[at(node, port)]; }
  Node target(Node node, Port port) const { return sources_[at(node, network_.opposite(port))]; }

  bool has(Node node, Tree tree) const { return depths_[at(node, tree)] != 0; }
  Port port(Node node, Tree tree) const { return ports_[at(node, tree)]; }
  Node parent(Node node, Tree tree) const { return source(node, port(node, tree)); }
  std::uint32_t depth(Node node, Tree tree) const { return depths_[at(node, tree)]; }
  std::uint32_t greatest_depth() const { return *std::max_element(depths_.begin(), depths_.end()); }

  // Shares out the node's incoming links such that the tree, which has none, has one and every other tree
  // keeps one; whatever gets another has an allowed(tree, port). False, and nothing is changed, where that is
  // impossible. @pre no link from a node that is below this one in a tree is allowed for that tree.
  template <class Allowed>
  bool take_in(Node node, Tree tree, const Allowed& allowed) {
    ++attempt_;
    if (!find_link(node, tree, allowed)) return false;
    settle(node);
    return true;
  }

  // Whether `node` is `above` or below it. @pre the tree has both.
  bool below(Node node, Node above, Tree tree) {
    while (depth(node, tree) > depth(above, tree)) {
      node = parent(node, tree);
      ++steps_;
    }
    return node == above;
  }

  // The sum of weight(depth) over the node and those below it. @pre the tree has the node.
  template <class Weight>
  double sum_below(Node node, Tree tree, const Weight& weight) {
    double sum = 0;
    walk_below(node, tree, [&](Node at_hand) {
      sum += weight(depth(at_hand, tree));
      return true;
    });
    return sum;
  }

  // Gives every tree a new incoming link of the node. @pre none comes from below the node in that tree.
  void share_out(Node node, std::span<const Port> ports) {
    for (Tree tree = 0; tree < degree_; ++tree) enter(node, tree, ports[tree]);
    settle(node);
  }

  // What the search has cost so far: nodes looked at on walks along trees, and what is added.
  std::uint64_t steps() const { return steps_; }
  void add_steps(std::uint64_t steps) { steps_ += steps; }

  // By node, then tree; the table has them no more.
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

  const Network& network_;
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

// The trees, breadth first, from the root's neighbours to all nodes.
class Growth {
 public:
  explicit Growth(LinkTable& links) : links_(links) {}

  // Whether all trees reach all nodes.
  bool run() {
    const std::uint64_t all = std::uint64_t{links_.order() - 1} * links_.degree();
    members_.reserve(all);
    for (Tree tree = 0; tree < links_.degree(); ++tree)
      offer(links_.target(0, tree), tree, [tree](Tree, Port over) { return over == tree; });
    std::size_t next = 0;
    do {
      for (; next < members_.size(); ++next) spread(members_[next]);
    } while (members_.size() < all && unblock());
    return members_.size() == all;
  }

 private:
  struct Member {
    Node node;
    Tree tree;
  };

  template <class Allowed>
  bool offer(Node node, Tree tree, const Allowed& allowed) {
    if (!links_.take_in(node, tree, allowed)) return false;
    members_.push_back({node, tree});
    return true;
  }

  // Offers the tree to all neighbours, who take it where no tree that they have comes later for it.
  void spread(Member member) {
    const std::uint32_t depth = links_.depth(member.node, member.tree) + 1;
    for (Port port = 0; port < links_.degree(); ++port) {
      const Node node = links_.target(member.node, port);
      if (node == 0 || links_.has(node, member.tree)) continue;
      offer(node, member.tree, [&](Tree tree, Port over) {
        const Node source = links_.source(node, over);
        if (source == 0) return over == tree;
        const std::uint32_t latest = links_.has(node, tree) ? links_.depth(node, tree) : depth;
        return links_.has(source, tree) && links_.depth(source, tree) < latest;
      });
    }
  }

  // Nodes take in what they lack at the price of delays; whether any did.
  bool unblock() {
    const std::size_t before = members_.size();
    for (Node node = 1; node < links_.order(); ++node) {
      for (Tree missing = 0; missing < links_.degree(); ++missing) {
        if (links_.has(node, missing)) continue;
        offer(node, missing, [&](Tree tree, Port over) {
          const Node source = links_.source(node, over);
          if (source == 0) return over == tree;
          return links_.has(source, tree) && !(links_.has(node, tree) && links_.below(source, node, tree));
        });
      }
    }
    return members_.size() > before;
  }

  LinkTable& links_;
  std::vector<Member> members_;  // in the order in which they joined
};

// Shares out the incoming links of one node after the other anew, at the least sum of 2^depth over all nodes
// of all trees: what is deep counts most, and what hangs below a node moves with it. @pre the trees span.
class Lowering {
 public:
  Lowering(LinkTable& links, std::uint64_t most_steps)
      : links_(links), most_steps_(links.steps() + most_steps), costs_(square(links.degree())) {}

  // Until no node gains, or no tree is higher than `least`.
  void run(std::uint32_t least) {
    do {
      greatest_ = links_.greatest_depth();
    } while (greatest_ > least && lower_all());
  }

 private:
  // Weights are relative to the deepest node's; below 2^lightest they make no difference.
  static constexpr int lightest = -500;
  // Less of a gain may be a rounding error, which could come back for ever.
  static constexpr double certain_gain = 1 - 1e-9;

  static std::size_t square(Port degree) { return std::size_t{degree} * degree; }

  // Whether any node gained.
  bool lower_all() {
    bool any = false;
    for (Node node = 1; node < links_.order() && links_.steps() < most_steps_; ++node) any |= lower(node);
    return any;
  }

  bool lower(Node node) {
    const Port degree = links_.degree();
    double before = 0;
    for (Tree tree = 0; tree < degree; ++tree) {
      weigh(node, tree);
      before += cost(tree, links_.port(node, tree));
    }
    if (!any_shorter(node)) return false;
    // Dearer than all that there is, and no dearer than that, for the sake of precision.
    for (double& cost : costs_) cost = std::min(cost, 2 * before);
    links_.add_steps(square(degree) * degree);
    const std::vector<Port> ports = least_assignment(costs_, degree);
    double after = 0;
    for (Tree tree = 0; tree < degree; ++tree) after += cost(tree, ports[tree]);
    if (after >= before * certain_gain) return false;
    links_.share_out(node, ports);
    return true;
  }

  // The costs of all links for one tree: the weights of the node and of what is below it, once moved.
  void weigh(Node node, Tree tree) {
    const std::uint32_t depth = links_.depth(node, tree);
    const double weight = links_.sum_below(node, tree, [this](std::uint32_t below) {
      return std::ldexp(1.0, std::max(static_cast<int>(below) - static_cast<int>(greatest_), lightest));
    });
    for (Port port = 0; port < links_.degree(); ++port) {
      const Node source = links_.source(node, port);
      const bool barred = source == 0 ? port != tree : links_.below(source, node, tree);
      const int further = static_cast<int>(links_.depth(source, tree)) + 1 - static_cast<int>(depth);
      cost(tree, port) = barred ? std::numeric_limits<double>::infinity() : std::ldexp(weight, further);
    }
  }

  bool any_shorter(Node node) const {
    for (Tree tree = 0; tree < links_.degree(); ++tree) {
      const auto costs = std::span(costs_).subspan(std::size_t{tree} * links_.degree(), links_.degree());
      if (*std::min_element(costs.begin(), costs.end()) < costs[links_.port(node, tree)]) return true;
    }
    return false;
  }

  double& cost(Tree tree, Port port) { return costs_[std::size_t{tree} * links_.degree() + port]; }

  LinkTable& links_;
  std::uint64_t most_steps_;
  std::uint32_t greatest_ = 0;
  std::vector<double> costs_;  // of one node: by tree, then port
};

}  // namespace

bool DisjointTrees::affordable(const Network& network) {
  return network.directed_links() * network.degree() <= most_steps;
}

std::optional<DisjointTrees> DisjointTrees::find(const Network& network) {
  LinkTable links(network);
  if (!Growth(links).run()) return std::nullopt;
  if (network.order() > 2) Lowering(links, 2 * most_steps).run(network.diameter() + 1);
  DisjointTrees trees;
  trees.heights_.assign(network.degree(), 0);
  trees.depths_ = links.take_depths();
  trees.ports_ = links.take_ports();
  for (Node node = 1; node < network.order(); ++node) {
    for (Tree tree = 0; tree < trees.count(); ++tree)
      trees.heights_[tree] = std::max(trees.heights_[tree], trees.depth(node, tree));
  }
  return trees;
}

}  // namespace isotrope::algorithm
