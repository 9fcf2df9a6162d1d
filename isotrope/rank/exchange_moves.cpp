// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/exchange_moves.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/prefix.hpp"

namespace isotrope::rank {
namespace {

using schedule::Hop;
using schedule::Plan;
using schedule::ValueId;

void require_in_range(const Plan& plan) {
  const network::Network& network = hop_network(plan);
  const schedule::Stage& stage = plan.schedule.stages.front();
  const schedule::NodeClasses classes(network.group(), stage.replication);
  const std::size_t parts = plan.task.parts;
  const bool hops = std::ranges::all_of(stage.rounds.hops(), [&](const Hop& hop) {
    return hop.packet < stage.sums.size() && hop.from < network.order() && hop.port < network.degree();
  });
  const bool sums = std::ranges::all_of(stage.sums, [&](const auto& sum) { return sum.part < parts; });
  const bool results = stage.result.size() == parts || stage.result.size() == parts * classes.count();
  if (plan.schedule.stages.size() == 1 && hops && sums && results) return;
  throw Error(
      "an exchange is one stage whose hops, sums and results lie inside its network and parts: give a valid "
      "plan (verify it first)");
}

// The values of the nodes of one class, for one part of the vector, and their sums.
class Values {
 public:
  explicit Values(Place own) : places_{own} {}

  void receive(Place place) { places_.push_back(place); }

  /// The place of the sum of `values`. Calls add(from, to, arrival) for every addition that it still takes.
  template <class Add>
  Place sum(const std::vector<ValueId>& values, Slots& slots, Add add) {
    require_received(values);
    if (values.size() == 1) return places_[values.front()];
    PartialSum& sum = begun(values, slots, add);
    for (std::size_t i = sum.values.size(); i < values.size(); ++i)
      add(places_[values[i]], sum.place, OnArrival::combine);
    sum.values = values;
    sum.is_sent = true;
    return sum.place;
  }
  /// Brings the sum of `values` to the place `to`, which the own value may be in if it is the first of them.
  template <class Add>
  void sum_to(Place to, const std::vector<ValueId>& values, Add add) const {
    require_received(values);
    const PartialSum* longest = longest_begin(values);
    add(longest == nullptr ? places_[values.front()] : longest->place, to, OnArrival::store);
    for (std::size_t i = longest == nullptr ? 1 : longest->values.size(); i < values.size(); ++i)
      add(places_[values[i]], to, OnArrival::combine);
  }
  void close_round() {
    for (PartialSum& sum : sums_) sum.is_sent = false;
  }

 private:
  struct PartialSum {
    std::vector<ValueId> values;
    Place place;
    bool is_sent = false;  // in this round, so that nothing may be added to it
  };

  void require_received(const std::vector<ValueId>& values) const {
    const ValueId last = values.empty() ? UINT32_MAX : *std::ranges::max_element(values);
    if (last < places_.size()) return;
    throw Error(fmt::format(
        "a sum of an exchange has {}: its node has values 0..{} by then; give a valid plan (verify it first)",
        values.empty() ? "no values" : fmt::format("value {}", last), places_.size() - 1));
  }

  // The sum of the most of the first of `values`; nullptr if there is none.
  const PartialSum* longest_begin(const std::vector<ValueId>& values) const {
    const PartialSum* longest = nullptr;
    for (const PartialSum& sum : sums_) {
      const bool is_begin = sum.values.size() <= values.size() &&
                            std::equal(sum.values.begin(), sum.values.end(), values.begin());
      if (is_begin && (longest == nullptr || longest->values.size() < sum.values.size())) longest = &sum;
    }
    return longest;
  }

  // A sum of the first of `values`, in a place that may be added to.
  template <class Add>
  PartialSum& begun(const std::vector<ValueId>& values, Slots& slots, Add add) {
    const PartialSum* found = longest_begin(values);
    PartialSum* longest = found == nullptr ? nullptr : &sums_[static_cast<std::size_t>(found - sums_.data())];
    if (longest != nullptr && (!longest->is_sent || longest->values.size() == values.size())) return *longest;
    PartialSum copy{longest == nullptr ? std::vector{values.front()} : longest->values,
                    {Buffer::slots, slots.take()}};
    add(longest == nullptr ? places_[values.front()] : longest->place, copy.place, OnArrival::store);
    return sums_.emplace_back(std::move(copy));
  }

  std::vector<Place> places_;  // by value
  std::vector<PartialSum> sums_;
};

class ExchangeMoves {
 public:
  /// Moves by the classes of `replication`: that of the stage, or none.
  ExchangeMoves(const Plan& plan, schedule::Replication replication, const RoundListener& listener)
      : network_(hop_network(plan)),
        task_(plan.task),
        stage_(plan.schedule.stages.front()),
        parts_(plan.task.parts),
        listener_(listener),
        stage_classes_(network_.group(), stage_.replication),
        classes_(network_.group(), replication),
        slots_(classes_.count()),
        representatives_(classes_.count()) {
    for (Node node = network_.order(); node-- > 0;) {
      representatives_[classes_.of(node)] = node;
      const bool translates = stage_classes_.of(node) == stage_classes_.of(0);
      if (node == 0 || (replication != stage_.replication && translates)) translations_.push_back(node);
    }
    require_writable();
    for (Node c = 0; c < classes_.count(); ++c) {
      for (std::uint32_t part = 0; part < parts_; ++part) values_.emplace_back(own(part));
    }
    result_.replication = replication;
    std::vector<bool> is_up(network_.order(), true);
    for (const Node node : plan.failed.nodes) is_up[node] = false;
    for (Node node = 0; node < network_.order(); ++node) {
      if (is_up[node]) result_.up.push_back(node);
    }
  }

  /// The moves of all nodes.
  MovePlan run() {
    add_sources();
    run_rounds();
    if (schedule::is_prefix(task_.collective)) {
      add_prefix_sinks();
    } else {
      add_sinks();
    }
    return finished();
  }

  /// The moves of the classes, and the result of one node.
  MovePlan run_of(Node node) {
    run_rounds();
    for (std::uint32_t part = 0; part < parts_; ++part) add_output(part, node);
    tell();
    return finished();
  }

 private:
  static Place own(std::uint32_t part) { return {Buffer::input, part}; }
  Values& values(Node node, std::uint32_t part) {
    return values_[std::size_t{classes_.of(node)} * parts_ + part];
  }
  void require_writable() const {
    constexpr std::uint64_t most_moves = std::uint64_t{1} << 27;
    if (stage_.rounds.hop_count() <= most_moves / translations_.size()) return;
    throw Error(fmt::format("{} hops on {} nodes are too many to write out for a {}: take a smaller network",
                            stage_.rounds.hop_count(), network_.order(), schedule::to_string(task_)));
  }
  void run_rounds() {
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) run_round(stage_.rounds.round(t));
  }
  MovePlan finished() {
    for (const Slots& slots : slots_) result_.buffers.push_back({.input_blocks = 1, .slots = slots.count()});
    return std::move(result_);
  }
  bool takes_part(Node node) const { return std::ranges::binary_search(result_.up, node); }

  auto adding_at(Node node, std::uint32_t part) {
    return [=, this](Place from, Place to, OnArrival arrival) {
      moves_.push_back(
          {.sender = node, .receiver = node, .part = part, .from = from, .to = to, .arrival = arrival});
    };
  }
  Place sum(Node node, std::uint32_t part, const std::vector<ValueId>& terms) {
    return values(node, part).sum(terms, slots_[classes_.of(node)], adding_at(node, part));
  }

  void run_round(std::span<const Hop> hops) {
    std::vector<PacketMove> sent;
    for (const Hop& hop : hops) {
      const schedule::Sum& terms = stage_.sums[hop.packet];
      for (const Node translation : translations_) {
        const Node from = network_.group().add(hop.from, translation);
        sent.push_back({.sender = from,
                        .receiver = network_.neighbour(from, hop.port),
                        .port = hop.port,
                        .part = terms.part,
                        .from = sum(from, terms.part, terms.values)});
      }
    }
    tell();
    for (PacketMove& move : sent) {
      move.to = {Buffer::slots, slots_[classes_.of(move.receiver)].take()};
      values(move.receiver, move.part).receive(move.to);
    }
    for (Values& values : values_) values.close_round();
    listener_(sent);
  }

  // The local moves so far, which come before those over links.
  void tell() {
    if (!moves_.empty()) listener_(moves_);
    moves_.clear();
  }

  void add_sources() {
    for (std::uint32_t part = 0; part < parts_; ++part) {
      result_.packets.push_back(
          {.id = part, .packet = {0, schedule::to_all, 0, part}, .owner = schedule::to_all, .reduced = true});
      for (const Node node : representatives_) {
        if (takes_part(node)) result_.sources.push_back({part, node, own(part)});
      }
    }
  }

  const std::vector<ValueId>& listed_result(std::uint32_t part, Node node) const {
    const bool alike = stage_.result.size() == parts_;
    return stage_.result[alike ? part : std::size_t{part} * stage_classes_.count() + stage_classes_.of(node)];
  }

  // The values that a node adds at the end, its own first.
  std::vector<ValueId> result_of(std::uint32_t part, Node node) {
    if (schedule::is_prefix(task_.collective)) return prefix().result(part, node);
    std::vector<ValueId> terms = listed_result(part, node);
    const auto first = std::ranges::find(terms, ValueId{0});
    if (first != terms.end()) std::rotate(terms.begin(), first, first + 1);
    return terms;
  }
  // @pre all sums have been found to be of values received.
  const schedule::PrefixValues& prefix() {
    if (!prefix_) prefix_.emplace(network_, task_, stage_);
    return *prefix_;
  }

  void add_output(std::uint32_t part, Node node) {
    const std::vector<ValueId> terms = result_of(part, node);
    if (!terms.empty() || !schedule::is_prefix(task_.collective))
      values(node, part).sum_to({Buffer::output, part}, terms, adding_at(node, part));
  }

  // Node 0 of an exscan has no result; another node without one misses it.
  void add_prefix_sinks() {
    const Node first = task_.collective == schedule::Collective::exscan && !result_.up.empty()
                           ? result_.up.front()
                           : network_.order();
    for (std::uint32_t part = 0; part < parts_; ++part) {
      for (const Node node : result_.up) {
        const std::vector<ValueId> terms = prefix().result(part, node);
        if (!terms.empty()) {
          result_.sinks.push_back({part, node, sum(node, part, terms)});
        } else if (node != first) {
          result_.sinks.push_back({part, node, {}});
        }
      }
    }
    tell();
  }

  void add_sinks() {
    std::vector<Place> places;  // by class, of the part under way
    for (std::uint32_t part = 0; part < parts_; ++part) {
      places.clear();
      for (Node c = 0; c < classes_.count(); ++c) {
        const auto& terms = listed_result(part, representatives_[c]);
        places.push_back(takes_part(representatives_[c]) ? sum(representatives_[c], part, terms) : own(part));
      }
      for (const Node node : result_.up) result_.sinks.push_back({part, node, places[classes_.of(node)]});
    }
    tell();
  }

  const network::Network& network_;
  const schedule::Task& task_;
  const schedule::Stage& stage_;
  std::uint32_t parts_;
  const RoundListener& listener_;
  schedule::NodeClasses stage_classes_;
  schedule::NodeClasses classes_;
  std::vector<Node> translations_;     // of every hop, descending; 0 alone if a hop stands for its class
  std::vector<Slots> slots_;           // by class
  std::vector<Node> representatives_;  // by class, the least
  std::vector<Values> values_;         // by class and part
  std::vector<PacketMove> moves_;      // local ones, not yet told
  std::optional<schedule::PrefixValues> prefix_;
  MovePlan result_;
};

}  // namespace

MovePlan compile_exchange_moves(const Plan& plan, const RoundListener& listener) {
  require_in_range(plan);
  return ExchangeMoves(plan, common_replication(plan), listener).run();
}

MovePlan compile_exchange_moves_of(const Plan& plan, Node node, const RoundListener& listener) {
  require_in_range(plan);
  return ExchangeMoves(plan, plan.schedule.stages.front().replication, listener).run_of(node);
}

}  // namespace isotrope::rank
