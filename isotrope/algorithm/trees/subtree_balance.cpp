// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/subtree_balance.hpp"

#include <algorithm>

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

SubtreeBalance::SubtreeBalance(const Network& network, const Layers& layers, std::vector<Port>& subtrees,
                               std::vector<std::uint64_t>& loads)
    : network_(network),
      layers_(layers),
      subtrees_(subtrees),
      loads_(loads),
      movable_(network.degree()),
      listed_(network.order(), nowhere()),
      settled_(network.degree(), false),
      links_(network.degree()) {}

template <class Test>
bool SubtreeBalance::has_predecessor(Node node, Test test) const {
  const auto hops = layers_.last_hops(node);
  return std::any_of(hops.begin(), hops.end(),
                     [&](const Layers::LastHop& hop) { return test(subtrees_[hop.from]); });
}

void SubtreeBalance::even(std::span<const Node> nodes) {
  std::fill(settled_.begin(), settled_.end(), false);
  for (std::vector<Node>& movable : movable_) {
    for (const Node node : movable) listed_[node] = nowhere();
    movable.clear();
  }
  for (const Node node : nodes) list(node);
  for (;;) {
    const Port largest = largest_unsettled();
    if (largest == nowhere() || loads_[largest] <= *std::min_element(loads_.begin(), loads_.end()) + 1)
      return;
    // No chain leads from the reached subtrees to one smaller by two, and the other subtrees are no larger.
    if (!shrink(largest)) settled_ = reached_;
  }
}

void SubtreeBalance::list(Node node) {
  if (layers_.depth(node) < 2 || listed_[node] == subtrees_[node]) return;
  listed_[node] = subtrees_[node];
  movable_[subtrees_[node]].push_back(node);
}

Port SubtreeBalance::largest_unsettled() const {
  Port largest = nowhere();
  for (Port subtree = 0; subtree < loads_.size(); ++subtree) {
    if (settled_[subtree]) continue;
    if (largest == nowhere() || loads_[subtree] > loads_[largest]) largest = subtree;
  }
  return largest;
}

// Takes a node out of `largest` if there is a chain.
bool SubtreeBalance::shrink(Port largest) {
  reached_ = settled_;
  reached_[largest] = true;
  queue_.assign(1, largest);
  for (std::size_t next = 0; next < queue_.size();) {
    const Port last = reach_smaller(queue_[next++], loads_[largest] - 1);
    if (last != nowhere()) return move_along(largest, last);
  }
  return false;
}

// Extends the search by one subtree; returns the first that is reached with a load below `limit`.
Port SubtreeBalance::reach_smaller(Port from, std::uint64_t limit) {
  std::vector<Node>& movable = movable_[from];
  for (std::size_t i = 0; i < movable.size();) {
    const Node node = movable[i];
    const bool leads_on = has_predecessor(node, [&](Port subtree) { return !reached_[subtree]; });
    if (!has_choice(node, from) || (leads_on && is_needed(node))) {
      if (listed_[node] == from) listed_[node] = nowhere();
      movable[i] = movable.back();
      movable.pop_back();
      continue;
    }
    ++i;
    if (!leads_on) continue;
    const Port smaller = reach_through(node, limit);
    if (smaller != nowhere()) return smaller;
  }
  return nowhere();
}

Port SubtreeBalance::reach_through(Node node, std::uint64_t limit) {
  for (const auto [predecessor, port] : layers_.last_hops(node)) {
    const Port to = subtrees_[predecessor];
    if (reached_[to]) continue;
    reached_[to] = true;
    links_[to] = {node, subtrees_[node]};
    if (loads_[to] < limit) return to;
    queue_.push_back(to);
  }
  return nowhere();
}

// Makes the moves of a chain from its end; no move worsens the loads. A move may take away the predecessor that the
// move before it needs; the rest of the chain is then left out. Returns whether all moves were made.
bool SubtreeBalance::move_along(Port largest, Port last) {
  while (last != largest) {
    const auto [node, from] = links_[last];
    if (!has_predecessor(node, [&](Port subtree) { return subtree == last; })) return false;
    move(node, last);
    last = from;
  }
  return true;
}

// Moves a node and lists the nodes beside it, which may have become movable.
void SubtreeBalance::move(Node node, Port to) {
  --loads_[subtrees_[node]];
  ++loads_[to];
  subtrees_[node] = to;
  list(node);
  for (const auto [predecessor, port] : layers_.last_hops(node)) list(predecessor);
  for (Port port = 0; port < network_.degree(); ++port) {
    const Node behind = network_.neighbour(node, port);
    if (layers_.depth(behind) <= layers_.depth(node) || subtrees_[behind] == nowhere()) continue;
    list(behind);
    for (const auto [predecessor, other] : layers_.last_hops(behind)) list(predecessor);
  }
}

bool SubtreeBalance::has_choice(Node node, Port from) const {
  return subtrees_[node] == from && has_predecessor(node, [&](Port subtree) { return subtree != from; });
}

bool SubtreeBalance::is_needed(Node node) const {
  for (Port port = 0; port < network_.degree(); ++port) {
    const Node behind = network_.neighbour(node, port);
    if (layers_.depth(behind) <= layers_.depth(node) || subtrees_[behind] != subtrees_[node]) continue;
    const auto hops = layers_.last_hops(behind);
    const bool has_other_support = std::any_of(hops.begin(), hops.end(), [&](const Layers::LastHop& hop) {
      return hop.from != node && subtrees_[hop.from] == subtrees_[node];
    });
    if (!has_other_support) return true;
  }
  return false;
}

}  // namespace isotrope::algorithm
