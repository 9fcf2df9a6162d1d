// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/leaf_switches.hpp"

#include <algorithm>
#include <functional>

#include "isotrope/graph/components.hpp"

namespace isotrope::graph {
namespace {

using network::Node;

// Groups of nodes with the mean latencies between them. A group has the number of one of its nodes.
class Groups {
 public:
  explicit Groups(const Latencies& latencies) : means_(latencies), sizes_(latencies.order(), 1) {}

  Node first() const {
    return static_cast<Node>(std::ranges::find_if(sizes_, [](Node size) { return size > 0; }) -
                             sizes_.begin());
  }
  double mean(Node a, Node b) const { return means_(a, b); }
  /// The nearest group; of several, this one if it is one of them. @pre there are two groups
  Node nearest(Node group, Node preferred) const {
    Node best = preferred;
    for (Node other = 0; other < sizes_.size(); ++other) {
      if (sizes_[other] == 0 || other == group) continue;
      if (best == group || means_(group, other) < means_(group, best)) best = other;
    }
    return best;
  }
  void join(Node kept, Node gone) {
    const double kept_nodes = sizes_[kept], gone_nodes = sizes_[gone];
    for (Node other = 0; other < sizes_.size(); ++other) {
      if (sizes_[other] == 0 || other == kept || other == gone) continue;
      const double sum = kept_nodes * means_(kept, other) + gone_nodes * means_(gone, other);
      means_.set(kept, other, sum / (kept_nodes + gone_nodes));
    }
    sizes_[kept] += sizes_[gone];
    sizes_[gone] = 0;
  }

 private:
  Latencies means_;
  std::vector<Node> sizes_;  // 0: joined to another group
};

}  // namespace

// Groups that are nearest to each other stay so whatever else is joined, so the chain may join them before others.
LeafSwitches::LeafSwitches(const Latencies& latencies) {
  Groups groups(latencies);
  std::vector<Node> chain;
  while (joins_.size() + 1 < latencies.order()) {
    if (chain.empty()) chain.push_back(groups.first());
    const Node last = chain.back(), before = chain.size() > 1 ? chain[chain.size() - 2] : last;
    const Node nearest = groups.nearest(last, before);
    if (nearest != before) {
      chain.push_back(nearest);
      continue;
    }
    joins_.push_back({groups.mean(last, before), before, last});
    groups.join(before, last);
    chain.resize(chain.size() - 2);
  }
  std::ranges::stable_sort(joins_, {}, &Join::latency);
}

std::vector<Node> LeafSwitches::likely_leaves(std::size_t most) const {
  const auto order = static_cast<Node>(joins_.size() + 1);
  const auto rise = [&](Node leaves) {
    return joins_[order - leaves].latency - joins_[order - leaves - 1].latency;
  };
  std::vector<Node> result;
  for (Node leaves = 2; leaves <= order / 2; ++leaves) result.push_back(leaves);
  std::ranges::stable_sort(result, std::greater<>(), rise);
  result.resize(std::min(most, result.size()));
  return result;
}

std::vector<Node> LeafSwitches::leaves_of_nodes(Node leaves) const {
  const auto order = static_cast<Node>(joins_.size() + 1);
  Components components(order);
  for (std::size_t i = 0; i + leaves < order; ++i) components.join(joins_[i].gone, joins_[i].kept);
  std::vector<Node> result;
  for (Node node = 0; node < order; ++node) result.push_back(components.root(node));
  return result;
}

}  // namespace isotrope::graph
