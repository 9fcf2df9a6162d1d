// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/disjoint_trees.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/trees/depth_walk.hpp"
#include "isotrope/algorithm/trees/link_exchange.hpp"
#include "isotrope/algorithm/trees/link_table.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

using Tree = LinkTable::Tree;

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
// of all trees: what is deep counts most. @pre the trees span.
class Lowering {
 public:
  Lowering(LinkTable& links, std::uint64_t most_steps)
      : links_(links), exchange_(links), most_steps_(links.steps() + most_steps) {}

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

  // Whether any node gained.
  bool lower_all() {
    bool any = false;
    for (Node node = 1; node < links_.order() && links_.steps() < most_steps_; ++node) any |= lower(node);
    return any;
  }

  bool lower(Node node) {
    exchange_.weigh(node, [this](std::span<const std::uint32_t> depths) {
      return [weight = sum(depths)](int deeper) { return std::ldexp(weight, deeper); };
    });
    if (!exchange_.any_cheaper()) return false;
    const std::vector<Port> ports = exchange_.least();
    if (exchange_.sum(ports) >= exchange_.present() * certain_gain) return false;
    links_.share_out(node, ports);
    return true;
  }

  double sum(std::span<const std::uint32_t> depths) const {
    double weight = 0;
    for (const std::uint32_t depth : depths)
      weight += std::ldexp(1.0, std::max(static_cast<int>(depth) - static_cast<int>(greatest_), lightest));
    return weight;
  }

  LinkTable& links_;
  LinkExchange exchange_;
  std::uint64_t most_steps_;
  std::uint32_t greatest_ = 0;
};

// By the way from a neighbour of the root, not through the root, to the farthest node.
std::uint32_t least_height(const Network& network) {
  const network::SurvivingNetwork without_root(network, {.nodes = {0}, .links = {}});
  std::uint32_t farthest = 0;
  for (Port tree = 0; tree < network.degree(); ++tree) {
    const std::vector<std::uint32_t> distances = without_root.distances(network.neighbour(0, tree));
    farthest = std::max(farthest, *std::max_element(distances.begin() + 1, distances.end()));
  }
  return 1 + farthest;
}

// With more links those steps are too few for a walk to arrive.
constexpr std::uint64_t most_links_walked = std::uint64_t{1} << 16;

// Of one walk: enough for most that arrive at all, at most a twentieth of a second.
std::uint64_t walk_steps(std::uint64_t links) {
  return std::min(std::uint64_t{1} << 22, 64 * links * links);
}

// Walks to one height less after the other, as long as they arrive.
void walk_down(LinkTable& links, const Network& network) {
  const std::uint64_t steps = walk_steps(network.directed_links());
  const std::uint32_t least = least_height(network);
  for (std::uint32_t height = links.greatest_depth(); height > least; height = links.greatest_depth()) {
    LinkTable lower = links;
    if (!walk_to_height(lower, height - 1, steps)) return;
    links = std::move(lower);
  }
}

}  // namespace

bool DisjointTrees::affordable(const Network& network) {
  return network.directed_links() * network.degree() <= most_steps;
}

std::optional<DisjointTrees> DisjointTrees::find(const Network& network) {
  LinkTable links(network);
  if (!Growth(links).run()) return std::nullopt;
  if (network.order() > 2) {
    const std::uint32_t least = network.diameter() + 1;
    Lowering(links, 2 * most_steps).run(least);
    if (links.greatest_depth() > least && network.directed_links() <= most_links_walked)
      walk_down(links, network);
  }
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
