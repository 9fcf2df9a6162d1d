// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/word_tree_choice.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/algorithm/scan/node_marks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

// A tree as a list in which the nodes below a node follow it.
class Preorder {
 public:
  explicit Preorder(const WordTree& tree) : nodes_(tree.nodes.size()), ends_(tree.nodes.size()) {
    std::vector<std::uint32_t> size(tree.nodes.size(), 1), next(tree.nodes.size(), 0);
    for (std::size_t i = tree.nodes.size(); --i > 0;) size[tree.parent[tree.nodes[i]]] += size[tree.nodes[i]];
    for (const Node node : tree.nodes) {
      std::uint32_t& at = next[tree.parent[node]];  // the next free place below the parent
      const std::uint32_t place = at;
      at += size[node];
      next[node] = place + 1;
      nodes_[place] = node;
      ends_[place] = place + size[node];
    }
  }

  std::size_t size() const { return nodes_.size(); }
  Node node(std::size_t place) const { return nodes_[place]; }
  /// The place after the last node below the one at `place`.
  std::size_t end(std::size_t place) const { return ends_[place]; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ends_;
};

// A message of the sampled sender over one port.
struct Sample {
  std::uint64_t set;    // the sum of the contributors' marks
  std::uint32_t begin;  // the first round in which all of it can be there
  std::uint32_t ahead;  // hops to its farthest receiver
};

// One entry for each set, which begins late and has far to go.
void merge_equal(std::vector<Sample>& samples) {
  std::ranges::sort(samples, {}, &Sample::set);
  std::vector<Sample> merged;
  for (const Sample& sample : samples) {
    if (merged.empty() || merged.back().set != sample.set) merged.push_back(sample);
    merged.back().begin = std::max(merged.back().begin, sample.begin);
    merged.back().ahead = std::max(merged.back().ahead, sample.ahead);
  }
  samples = std::move(merged);
}

// The rounds until all messages are with their farthest receivers if the port sends the most urgent one first.
std::uint64_t rounds_of_port(std::vector<Sample>& samples) {
  std::ranges::sort(samples, {}, &Sample::begin);
  std::priority_queue<std::uint32_t> ready;
  std::uint64_t rounds = 0, now = 0;
  for (std::size_t next = 0; next < samples.size() || !ready.empty(); ++now) {
    if (ready.empty()) now = std::max<std::uint64_t>(now, samples[next].begin);
    for (; next < samples.size() && samples[next].begin <= now; ++next) ready.push(samples[next].ahead);
    rounds = std::max(rounds, now + ready.top());
    ready.pop();
  }
  return rounds;
}

class RoundEstimate {
 public:
  RoundEstimate(const Network& network, schedule::PortModel ports)
      : network_(network),
        // The node of a network without links has no port, and no message either.
        sends_(std::max<std::uint64_t>(ports.sends(network.degree()), 1)),
        marks_(node_marks(network.order())) {}

  std::uint64_t steps() const { return steps_; }

  /// About how many rounds a scan along the tree takes, or any number from `limit` on.
  std::uint64_t rounds(const WordTree& tree, std::uint64_t limit) {
    const Preorder preorder(tree);
    const std::uint64_t last = network_.order() - 1, gaps = std::min<std::uint64_t>(last, most_samples - 1);
    std::uint64_t most = tree.height();
    for (std::uint64_t i = 0; i <= gaps && most < limit; ++i)
      most = std::max(most, rounds_of_sender(tree, preorder,
                                             static_cast<Node>(last * i / std::max<std::uint64_t>(gaps, 1))));
    return most;
  }

 private:
  static constexpr std::uint64_t most_samples = 8;

  std::uint64_t rounds_of_sender(const WordTree& tree, const Preorder& preorder, Node sender) {
    std::vector<std::vector<Sample>> by_port(network_.degree());
    network_.visit([&](const auto&, const auto& group) {
      for (std::size_t place = 1; place < preorder.size(); ++place) {
        const Node word = preorder.node(place), root = group.subtract(sender, word);
        Sample sample{0, 0, tree.depth[word]};
        for (std::size_t i = place; i < preorder.end(place); ++i) {
          const Node contributor = group.add(root, preorder.node(i));
          if (contributor > root) continue;
          sample.set += marks_[contributor];
          sample.begin = std::max(sample.begin, tree.depth[preorder.node(i)] - tree.depth[word]);
        }
        steps_ += preorder.end(place) - place;
        if (sample.set != 0) by_port[tree.port[word]].push_back(sample);
      }
    });
    std::uint64_t rounds = 0, messages = 0;
    for (std::vector<Sample>& samples : by_port) {
      merge_equal(samples);
      messages += samples.size();
      rounds = std::max(rounds, rounds_of_port(samples));
    }
    return std::max(rounds, schedule::ceil_div(messages, sends_));
  }

  const Network& network_;
  std::uint64_t sends_;
  std::vector<std::uint64_t> marks_;
  std::uint64_t steps_ = 0;
};

class TreeSearch {
 public:
  TreeSearch(const Network& network, schedule::PortModel ports)
      : network_(network), estimate_(network, ports), most_kept_(trees_in_steps(network)) {}

  std::vector<WordTree> run() {
    std::vector<Port> order(network_.degree());
    std::iota(order.begin(), order.end(), Port{0});
    std::mt19937_64 random(1);
    for (std::uint32_t i = 0; i < most_orders && estimate_.steps() < most_steps && could_gain(); ++i) {
      if (i > 0) shuffle(order, random);
      const WordTree shortest = shortest_words(network_, order);
      diameter_ = shortest.height();
      try_tree(shortest);
      try_tree(mirrored(network_, shortest));
      try_tree(rarest_last(network_, shortest, order));
      try_tree(subgroup_words(network_, order));
    }
    std::vector<WordTree> trees;
    for (Estimated& kept : kept_) trees.push_back(std::move(kept.tree));
    return trees;
  }

 private:
  struct Estimated {
    std::uint64_t rounds;
    WordTree tree;
  };

  static constexpr std::uint32_t most_orders = 200;
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;

  // As many as can be scheduled in 2^22 steps, and two of large networks.
  static std::size_t trees_in_steps(const Network& network) {
    const std::uint64_t pairs = std::uint64_t{network.order()} * network.order();
    return std::clamp<std::size_t>((std::size_t{1} << 22) / pairs, 2, 16);
  }
  // std::shuffle differs from library to library.
  static void shuffle(std::vector<Port>& order, std::mt19937_64& random) {
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random() % left]);
  }

  bool could_gain() const { return limit() > diameter_; }
  /// A tree of so many rounds is not kept.
  std::uint64_t limit() const { return kept_.size() < most_kept_ ? UINT64_MAX : kept_.back().rounds; }

  void try_tree(const WordTree& tree) {
    const std::uint64_t rounds = estimate_.rounds(tree, limit());
    if (rounds >= limit()) return;
    if (kept_.size() == most_kept_) kept_.pop_back();
    kept_.insert(std::ranges::upper_bound(kept_, rounds, {}, &Estimated::rounds), {rounds, tree});
  }

  const Network& network_;
  RoundEstimate estimate_;
  std::size_t most_kept_;
  std::vector<Estimated> kept_;  // the fewest rounds first
  std::uint64_t diameter_ = 0;
};

}  // namespace

std::vector<WordTree> promising_word_trees(const Network& network, schedule::PortModel ports) {
  return TreeSearch(network, ports).run();
}

}  // namespace isotrope::algorithm
