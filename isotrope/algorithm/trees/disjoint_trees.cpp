// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/disjoint_trees.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <span>
#include <utility>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/trees/link_table.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

using Tree = LinkTable::Tree;

// Grows the trees, breadth first, from the root's neighbours to all nodes.
class Growth {
 public:
  explicit Growth(LinkTable& links) : links_(links) {}

  // Returns whether all trees reach all nodes.
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

  // Offers the tree to all neighbours; a neighbour accepts if none of its trees then comes later.
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

  // Lets nodes take in missing trees at the price of delays; returns whether any did.
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

// Shares out the incoming links of node after node anew, at the least sum of 2^depth over all nodes of all trees:
// deep nodes count most. @pre the trees span.
class HeightReduction {
 public:
  HeightReduction(LinkTable& links, std::uint64_t most_steps)
      : links_(links), exchange_(links), most_steps_(links.steps() + most_steps) {}

  // Runs until no node gains or no tree is higher than `least`.
  void run(std::uint32_t least) {
    do {
      greatest_ = links_.greatest_depth();
    } while (greatest_ > least && lower_all());
  }

 private:
  // Weights are relative to the deepest node's; below 2^lightest they make no difference.
  static constexpr int lightest = -500;
  // A smaller gain may be a rounding error, which could recur for ever.
  static constexpr double certain_gain = 1 - 1e-9;

  // Returns whether any node gained.
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

// The bound of the random numbers, in levels of depth. Walks out of 10 with other seeds that reached the
// diameter + 1:          1    1.5    2    2.5    3    4
//     torus:3x4x5       10    10    10     1     0    0
//     torus:7x7          0     1     5     4     2    0
//     torus:8x8          7     9    10    10    10   10
//     torus:12x12        5     8     7     8     9    8
constexpr double most_noise = 2;

// A random walk to link-disjoint trees no higher than `height`.
//
// Method: while a node is too deep in a tree, one such node is drawn, then a node on its way to the root, itself
// included. That node shares out its incoming links anew at the least price (LinkExchange): the levels by which the
// nodes below are too deep, plus a random number. So nodes that are not too deep cost nothing to move, and a step may
// make matters worse by as much as the random numbers: both help where a descent ends short of the least height.
//
// Claim: none; success is a matter of trial. On tori of equal extents most walks succeed if a descent has come within
// two of the least height. The seed is fixed: equal networks have equal trees. Cost: the given steps, some ten
// nanoseconds each. Source: B. Selman, H. Kautz and B. Cohen, Noise strategies for improving local search, AAAI 1994
// (WalkSAT, with clauses and variables).
class DepthWalk {
 public:
  DepthWalk(LinkTable& links, std::uint32_t height) : links_(links), exchange_(links), height_(height) {}

  // Moves links until no depth exceeds the height; false after `most_steps` of LinkTable::steps(), with trees that
  // span at any depths. @pre the trees span.
  bool run(std::uint64_t most_steps) {
    const std::uint64_t end = links_.steps() + most_steps;
    while (find_deep_places()) {
      if (links_.steps() >= end) return false;
      move(ancestor(deep_[random_() % deep_.size()]));
    }
    return true;
  }

 private:
  struct TreePosition {
    Node node;
    Tree tree;
  };

  bool find_deep_places() {
    deep_.clear();
    for (Node node = 1; node < links_.order(); ++node) {
      for (Tree tree = 0; tree < links_.degree(); ++tree)
        if (links_.depth(node, tree) > height_) deep_.push_back({node, tree});
    }
    links_.add_steps(std::uint64_t{links_.order()} * links_.degree() / depths_a_step);
    return !deep_.empty();
  }

  // A random node on the way to the root.
  Node ancestor(TreePosition place) {
    for (std::uint64_t up = random_() % links_.depth(place.node, place.tree); up > 0; --up)
      place.node = links_.parent(place.node, place.tree);
    return place.node;
  }

  void move(Node node) {
    exchange_.weigh(node, [this](std::span<const std::uint32_t> depths) {
      count(depths);
      return [this](int deeper) { return excess(deeper) + noise(); };
    });
    links_.share_out(node, exchange_.least());
  }

  void count(std::span<const std::uint32_t> depths) {
    by_depth_.assign(*std::max_element(depths.begin(), depths.end()) + 1, 0);
    for (const std::uint32_t depth : depths) ++by_depth_[depth];
  }

  // The levels by which the counted depths are too deep in all, if each is so much deeper.
  double excess(int deeper) const {
    double sum = 0;
    const int first = std::max(static_cast<int>(height_) - deeper + 1, 0);
    for (auto depth = static_cast<std::size_t>(first); depth < by_depth_.size(); ++depth)
      sum += by_depth_[depth] * (static_cast<double>(depth) + deeper - height_);
    return sum;
  }

  double noise() { return std::ldexp(most_noise * static_cast<double>(random_()), -32); }

  // The scan of all depths is cheap beside the walks along trees that steps count.
  static constexpr std::uint64_t depths_a_step = 16;

  LinkTable& links_;
  LinkExchange exchange_;
  std::uint32_t height_;
  std::mt19937 random_;
  std::vector<TreePosition> deep_;
  std::vector<std::uint32_t> by_depth_;
};

// 1 + the largest distance of a node from a neighbour of the root, by ways that avoid the root.
std::uint32_t least_height(const Network& network) {
  const network::SurvivingNetwork without_root(network, {{0}, {}});
  std::uint32_t farthest = 0;
  for (Port tree = 0; tree < network.degree(); ++tree) {
    const std::vector<std::uint32_t> distances = without_root.distances(network.neighbour(0, tree));
    farthest = std::max(farthest, *std::max_element(distances.begin() + 1, distances.end()));
  }
  return 1 + farthest;
}

// With more links the steps are too few for a walk to succeed.
constexpr std::uint64_t most_links_walked = std::uint64_t{1} << 16;

// The steps per walk: enough for most walks that can succeed, at most a twentieth of a second.
std::uint64_t walk_steps(std::uint64_t links) {
  return std::min(std::uint64_t{1} << 22, 64 * links * links);
}

// Lowers the height by one walk per level while walks succeed.
void walk_down(LinkTable& links, const Network& network) {
  const std::uint64_t steps = walk_steps(network.directed_links());
  const std::uint32_t least = least_height(network);
  for (std::uint32_t height = links.greatest_depth(); height > least; height = links.greatest_depth()) {
    LinkTable lower = links;
    if (!DepthWalk(lower, height - 1).run(steps)) return;
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
    HeightReduction(links, 2 * most_steps).run(least);
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
  if (trees.count() == 0) return trees;
  trees.parents_ = trees.parents(network);
  trees.levels_ = group_levels(trees.depths_, trees.parents_, trees.count());
  return trees;
}

struct DisjointTrees::Staggered {
  std::mutex mutex;
  std::map<std::uint64_t, std::vector<StaggeredPacket>> packets;  // by rounds of a hop
};

DisjointTrees::DisjointTrees() : staggered_(std::make_shared<Staggered>()) {}

const std::vector<StaggeredPacket>& DisjointTrees::staggered(std::uint64_t hop_rounds) const {
  const std::scoped_lock lock(staggered_->mutex);
  const auto [known, is_new] = staggered_->packets.try_emplace(hop_rounds);
  if (is_new && count() > 0) known->second = staggered_packets(depths_, parents_, count(), hop_rounds);
  return known->second;
}

std::vector<Node> DisjointTrees::parents(const Network& network) const {
  std::vector<Node> result(ports_.size(), 0);
  for (Node node = 1; node < network.order(); ++node) {
    for (Tree tree = 0; tree < count(); ++tree)
      result[index(node, tree)] = network.neighbour(node, network.opposite(port(node, tree)));
  }
  return result;
}

std::shared_ptr<const DisjointTrees> DisjointTrees::kept(const Network& network) {
  using Found = std::shared_ptr<const DisjointTrees>;
  static constexpr std::size_t most_kept = 8;
  static std::mutex searching;
  static std::list<std::pair<Network, Found>> found;  // the last one first
  const std::scoped_lock lock(searching);
  const auto known =
      std::ranges::find_if(found, [&](const auto& entry) { return same_network(entry.first, network); });
  if (known != found.end()) {
    found.splice(found.begin(), found, known);
  } else {
    auto trees = affordable(network) ? find(network) : std::nullopt;
    found.emplace_front(network, trees ? std::make_shared<const DisjointTrees>(*std::move(trees)) : nullptr);
    if (found.size() > most_kept) found.pop_back();
  }
  return found.front().second;
}

}  // namespace isotrope::algorithm
