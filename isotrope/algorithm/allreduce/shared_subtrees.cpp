// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/shared_subtrees.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/network_memo.hpp"

#include "isotrope/algorithm/allreduce/port_loads.hpp"
#include "isotrope/algorithm/scan/node_marks.hpp"
#include "isotrope/algorithm/scan/word_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PacketId;
using schedule::ValueId;

constexpr std::uint32_t most_trees = 8;

// A sum that every node sends to a parent.
struct ShapeMessage {
  std::uint32_t round;
  Port port;            // the last letter of the words of the subtree; the parent is the other way
  std::uint32_t shape;  // by first node in the tree

  auto operator<=>(const ShapeMessage&) const = default;
};

// The shapes of a tree, and the messages, ascending.
class TreeShapes {
 public:
  TreeShapes(const Network& network, const WordTree& tree, std::span<const std::uint64_t> marks)
      : tree_(tree), height_(tree.nodes.size(), 0), shape_(tree.nodes.size(), 0) {
    const std::vector<std::uint64_t> sets = sets_of_subtrees(network, marks);
    for (const Node node : tree.words()) raise_parents(node);
    std::map<std::uint64_t, Node> firsts;
    for (const Node node : tree.words()) shape_[node] = firsts.try_emplace(sets[node], node).first->second;
    for (const Node node : tree.words()) messages_.push_back({height_[node], tree.port[node], shape_[node]});
    std::ranges::sort(messages_);
    messages_.erase(std::unique(messages_.begin(), messages_.end()), messages_.end());
  }

  const std::vector<ShapeMessage>& messages() const { return messages_; }
  /// What arrives from the subtree below the node.
  ShapeMessage message_of(Node node) const { return {height_[node], tree_.port[node], shape_[node]}; }

 private:
  // The sums of the marks of all nodes below a node, which is node 0 there.
  std::vector<std::uint64_t> sets_of_subtrees(const Network& network,
                                              std::span<const std::uint64_t> marks) const {
    std::vector<std::uint64_t> result(tree_.nodes.size(), 0);
    network.visit([&](const auto& /*neighbour*/, const auto& group) {
      for (const Node node : tree_.words()) {
        for (Node above = node; above != 0; above = tree_.parent[above])
          result[above] += marks[group.subtract(node, above)];
      }
    });
    return result;
  }
  void raise_parents(Node node) {
    std::uint32_t height = 0;
    for (Node above = node; above != 0; above = tree_.parent[above], ++height)
      height_[above] = std::max(height_[above], height);
  }

  const WordTree& tree_;
  std::vector<std::uint32_t> height_;  // by node: links to the farthest node below
  std::vector<Node> shape_;            // by node: the first node with the same shape
  std::vector<ShapeMessage> messages_;
};

// Messages.
PortLoads loads_of(const Network& network, const TreeShapes& shapes) {
  PortLoads result(std::size_t{shapes.messages().back().round + 1} * network.degree(), 0);
  for (const ShapeMessage& message : shapes.messages())
    ++result[message.round * network.degree() + message.port];
  return result;
}

using PortOrder = std::vector<Port>;

// What the busiest ports carry of a vector, if each of the first trees has a part of it.
struct ChosenTree {
  PortOrder order;
  double load;
};

class TreeChoice {
 public:
  explicit TreeChoice(const Network& network) : network_(network) {
    const std::vector<std::uint64_t> marks = node_marks(network.order());
    PortOrder order(network.degree());
    std::iota(order.begin(), order.end(), Port{0});
    SplitMix random(1);
    for (std::uint64_t steps = 0; orders_.size() < most_orders && steps < most_steps;) {
      const WordTree tree = shortest_words(network, order);
      loads_.push_back(loads_of(network, TreeShapes(network, tree, marks)));
      orders_.push_back(order);
      steps += std::uint64_t{network.order()} * tree.height();
      shuffle(std::span(order), random);
    }
  }

  std::vector<ChosenTree> run() const {
    std::vector<ChosenTree> result;
    PortLoads together(loads_.front().size(), 0);
    while (result.size() < most_trees) {
      const std::size_t best = best_with(together);
      together = sum(together, loads_[best]);
      const auto load = static_cast<double>(busiest(together, network_.degree()));
      result.push_back({orders_[best], load / static_cast<double>(result.size() + 1)});
    }
    return result;
  }

 private:
  static constexpr std::size_t most_orders = 256;
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;

  std::size_t best_with(const PortLoads& loads) const {
    std::size_t best = 0;
    std::uint64_t least = UINT64_MAX;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const std::uint64_t with = busiest(sum(loads, loads_[i]), network_.degree());
      if (with >= least) continue;
      least = with;
      best = i;
    }
    return best;
  }

  const Network& network_;
  std::vector<PortOrder> orders_;
  std::vector<PortLoads> loads_;
};

const std::vector<ChosenTree>& chosen_trees(const Network& network) {
  thread_local network::NetworkMemo<std::vector<ChosenTree>> chosen;
  return chosen.get(network, [&] { return TreeChoice(network).run(); });
}

// One tree, which carries one part.
class PartWriter {
 public:
  PartWriter(const Network& network, std::uint32_t part, const PortOrder& order,
             std::span<const std::uint64_t> marks)
      : network_(network),
        part_(part),
        tree_(shortest_words(network, order)),
        shapes_(network, tree_, marks) {
    children_.resize(network.order());
    for (const Node node : tree_.words()) children_[tree_.parent[node]].push_back(node);
    for (const ShapeMessage& message : shapes_.messages())
      value_.emplace(message, static_cast<ValueId>(value_.size() + 1));
  }

  std::uint32_t rounds() const { return tree_.height(); }
  void write(std::uint32_t round, schedule::Stage& stage) {
    for (const ShapeMessage& message : shapes_.messages()) {
      if (message.round != round) continue;
      const auto [sum, is_new] = sums_.try_emplace(message.shape, static_cast<PacketId>(stage.sums.size()));
      if (is_new) stage.sums.push_back({part_, values_at(message.shape)});
      stage.rounds.add({sum->second, 0, network_.opposite(message.port)});
    }
  }
  /// What a node adds at the end.
  std::vector<ValueId> result() const { return values_at(0); }

 private:
  // The own contribution, and what comes from below.
  std::vector<ValueId> values_at(Node node) const {
    std::vector<ValueId> result{0};
    for (const Node child : children_[node]) result.push_back(value_.at(shapes_.message_of(child)));
    std::ranges::sort(result);
    return result;
  }

  const Network& network_;
  std::uint32_t part_;
  WordTree tree_;
  TreeShapes shapes_;
  std::vector<std::vector<Node>> children_;
  std::map<ShapeMessage, ValueId> value_;  // by message, at its receiver
  std::map<Node, PacketId> sums_;          // by shape
};

}  // namespace

std::vector<std::uint32_t> shared_subtree_counts(const Network& network) {
  const std::vector<ChosenTree>& trees = chosen_trees(network);
  std::vector<std::uint32_t> result{1};
  for (std::uint32_t count = 2; count <= most_trees; count *= 2) {
    if (trees[count - 1].load < trees[result.back() - 1].load) result.push_back(count);
  }
  return result;
}

schedule::Schedule shared_subtree_allreduce(const Network& network, std::uint32_t trees) {
  const std::vector<ChosenTree>& chosen = chosen_trees(network);
  const std::vector<std::uint64_t> marks = node_marks(network.order());
  std::vector<PartWriter> parts;
  parts.reserve(trees);
  for (std::uint32_t part = 0; part < trees; ++part)
    parts.emplace_back(network, part, chosen[part].order, marks);
  schedule::Stage stage{.flow = schedule::Flow::exchange,
                        .replication = schedule::Replication::all(),
                        .packets = {},
                        .rounds = {}};
  for (std::uint32_t round = 0; round < parts.front().rounds(); ++round) {
    for (PartWriter& part : parts) part.write(round, stage);
    stage.rounds.close_round();
  }
  for (const PartWriter& part : parts) stage.result.push_back(part.result());
  return one_stage(schedule::PortModel::all(), schedule::RoundKind::aggregated, std::move(stage));
}

}  // namespace isotrope::algorithm
