// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/annealed_gossip.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

namespace isotrope::algorithm {
namespace {

// The matchings of all rounds, and what every node knows after each.
class Matchings {
 public:
  Matchings(const Network& network, bool half_duplex, std::uint32_t rounds)
      : network_(network),
        half_duplex_(half_duplex),
        rounds_(rounds),
        nodes_(network.order()),
        words_((std::size_t{nodes_} + 63) / 64),
        sends_(std::size_t{rounds} * nodes_, no_port),
        source_(sends_.size()),
        knows_((std::size_t{rounds} + 1) * nodes_ * words_, 0) {
    for (std::size_t i = 0; i < source_.size(); ++i) source_[i] = static_cast<Node>(i % nodes_);
    for (Node node = 0; node < nodes_; ++node)
      knows_[node * words_ + node / 64] |= std::uint64_t{1} << node % 64;
  }

  /// The port over which a node sends in a round, or no_port.
  Port sends(std::uint32_t t, Node node) const { return sends_[at(t, node)]; }
  bool can_send(std::uint32_t t, Node node) const {
    return sends(t, node) == no_port && !(half_duplex_ && receives(t, node));
  }
  bool can_receive(std::uint32_t t, Node node) const {
    return !receives(t, node) && !(half_duplex_ && sends(t, node) != no_port);
  }
  void add(std::uint32_t t, Node from, Port port) {
    sends_[at(t, from)] = port;
    source_[at(t, network_.neighbour(from, port))] = from;
  }
  void remove(std::uint32_t t, Node from) {
    const Node to = network_.neighbour(from, sends(t, from));
    source_[at(t, to)] = to;
    sends_[at(t, from)] = no_port;
  }
  /// The sender whose message `node` receives, or the node itself.
  Node source(std::uint32_t t, Node node) const { return source_[at(t, node)]; }
  bool receives(std::uint32_t t, Node node) const { return source(t, node) != node; }

  /// Pairs that are not known at the end, if what is known before round `t` is right.
  std::uint64_t missing_from(std::uint32_t t) {
    for (; t < rounds_; ++t) {
      const std::uint64_t* before = known(t, 0);
      std::uint64_t* after = known(t + 1, 0);
      const Node* source = source_.data() + at(t, 0);
      for (Node node = 0; node < nodes_; ++node) {
        for (std::size_t i = 0; i < words_; ++i)
          after[node * words_ + i] = before[node * words_ + i] | before[source[node] * words_ + i];
      }
    }
    std::uint64_t count = 0;
    for (auto word = knows_.end() - static_cast<std::ptrdiff_t>(nodes_ * words_); word != knows_.end();
         ++word)
      count += static_cast<std::uint64_t>(std::popcount(*word));
    return std::uint64_t{nodes_} * nodes_ - count;
  }

  Gossip gossip() const {
    Gossip result{false, std::vector<std::vector<Send>>(rounds_)};
    for (std::uint32_t t = 0; t < rounds_; ++t) {
      for (Node node = 0; node < nodes_; ++node) {
        if (sends(t, node) != no_port) result.rounds[t].push_back({node, sends(t, node)});
      }
    }
    return result;
  }

 private:
  std::size_t at(std::uint32_t t, Node node) const { return std::size_t{t} * nodes_ + node; }
  std::uint64_t* known(std::uint32_t t, Node node) { return knows_.data() + at(t, node) * words_; }

  const Network& network_;
  bool half_duplex_;
  std::uint32_t rounds_;
  Node nodes_;
  std::size_t words_;
  std::vector<Port> sends_;           // by round and node
  std::vector<Node> source_;          // by round and node
  std::vector<std::uint64_t> knows_;  // before each round and at the end, by node, then origin
};

class Annealing {
 public:
  Annealing(const Network& network, bool half_duplex, const Gossip& from, std::uint32_t seed)
      : network_(network),
        rounds_(static_cast<std::uint32_t>(from.rounds.size()) - 1),
        matchings_(network, half_duplex, rounds_),
        random_(seed) {
    for (std::uint32_t t = 0; t < rounds_; ++t) {
      for (const auto [node, port] : from.rounds[t]) {
        for (Node by = 0; by < (from.invariant ? network.order() : 1); ++by)
          matchings_.add(t, network.group().add(node, by), port);
      }
    }
    missing_ = matchings_.missing_from(0);
  }

  std::optional<Gossip> run(std::uint64_t steps) {
    const auto first = static_cast<float>(network_.order()) / 6;
    for (; steps_ < steps && missing_ > 0; ++steps_) {
      const float left = 1 - static_cast<float>(steps_) / static_cast<float>(steps);
      step(0.2F + first * left * left);
    }
    if (missing_ > 0) return std::nullopt;
    return matchings_.gossip();
  }
  std::uint64_t steps() const { return steps_; }

 private:
  struct Change {
    bool added;
    Node from;
    Port port;
  };

  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>((std::uint64_t{random_()} * limit) >> 32U);
  }

  bool happens(float probability) { return static_cast<float>(random_() >> 8U) * 0x1p-24F < probability; }

  void step(float temperature) {
    const std::uint32_t t = below(rounds_);
    const Node from = below(network_.order());
    const Port port = below(network_.degree());
    if (matchings_.sends(t, from) == port) return;
    changes_.clear();
    free_.clear();
    make_room(t, from, network_.neighbour(from, port));
    insert(t, from, port);
    for (const Node node : free_) join(t, node);
    const std::uint64_t missing = matchings_.missing_from(t);
    if (missing <= missing_ ||
        happens(std::exp((static_cast<float>(missing_) - static_cast<float>(missing)) / temperature))) {
      missing_ = missing;
      return;
    }
    undo(t);
  }

  // Takes out what keeps `from` from a message to `to`.
  void make_room(std::uint32_t t, Node from, Node to) {
    if (matchings_.sends(t, from) != no_port) take_out(t, from);
    if (!matchings_.can_send(t, from)) take_out(t, matchings_.source(t, from));
    if (matchings_.receives(t, to)) take_out(t, matchings_.source(t, to));
    if (!matchings_.can_receive(t, to)) take_out(t, to);
  }

  void take_out(std::uint32_t t, Node from) {
    const Port port = matchings_.sends(t, from);
    changes_.push_back({false, from, port});
    matchings_.remove(t, from);
    free_.push_back(from);
    free_.push_back(network_.neighbour(from, port));
  }

  void insert(std::uint32_t t, Node from, Port port) {
    matchings_.add(t, from, port);
    changes_.push_back({true, from, port});
  }

  // A link of a free end with another free node, if a random one of its ports leads to one.
  void join(std::uint32_t t, Node node) {
    const Port start = below(network_.degree());
    for (Port i = 0; i < network_.degree(); ++i) {
      const Port port = (start + i) % network_.degree();
      const Node other = network_.neighbour(node, port);
      if (matchings_.can_send(t, node) && matchings_.can_receive(t, other)) return insert(t, node, port);
      if (matchings_.can_receive(t, node) && matchings_.can_send(t, other))
        return insert(t, other, network_.opposite(port));
    }
  }

  void undo(std::uint32_t t) {
    std::ranges::reverse(changes_);
    for (const auto [added, from, port] : changes_) {
      if (added) {
        matchings_.remove(t, from);
      } else {
        matchings_.add(t, from, port);
      }
    }
    matchings_.missing_from(t);
  }

  const Network& network_;
  std::uint32_t rounds_;
  Matchings matchings_;
  std::mt19937 random_;
  std::uint64_t missing_ = 0, steps_ = 0;
  std::vector<Change> changes_;  // of the step
  std::vector<Node> free_;
};

}  // namespace

Gossip annealed_gossip(const Network& network, schedule::PortModel ports, Gossip gossip,
                       const SearchLimits& limits) {
  constexpr std::uint64_t words_a_link = 64;  // of all searches, per link of the limit
  constexpr std::uint64_t searches = 3;       // without success, that this suffices for
  const std::uint64_t words = (std::uint64_t{network.order()} + 63) / 64;
  SearchBudget budget(limits);
  std::uint64_t left = words_a_link * limits.links;
  for (std::uint32_t run = 1; gossip.rounds.size() > std::max<std::uint64_t>(limits.target, 1); ++run) {
    if (limits.seconds > 0 ? !budget.allows(run) : left == 0) break;
    const std::uint64_t cost = gossip.rounds.size() * network.order() * words;
    const std::uint64_t share = words_a_link * limits.links / searches;
    Annealing annealing(network, ports.half_duplex(), gossip, limits.seed + run);
    auto found = annealing.run(share / cost);
    left -= std::min(left, annealing.steps() * cost);
    if (!found && left < share) left = 0;
    if (found) gossip = *std::move(found);
  }
  return gossip;
}

}  // namespace isotrope::algorithm
