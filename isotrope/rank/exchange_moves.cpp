// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/exchange_moves.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"

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

  // A sum of the first of `values`, in a place that may be added to.
  template <class Add>
  PartialSum& begun(const std::vector<ValueId>& values, Slots& slots, Add add) {
    PartialSum* longest = nullptr;
    for (PartialSum& sum : sums_) {
      const bool is_begin = sum.values.size() <= values.size() &&
                            std::equal(sum.values.begin(), sum.values.end(), values.begin());
      if (is_begin && (longest == nullptr || longest->values.size() < sum.values.size())) longest = &sum;
    }
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
  ExchangeMoves(const Plan& plan, const RoundListener& listener)
      : network_(hop_network(plan)),
        stage_(plan.schedule.stages.front()),
        parts_(plan.task.parts),
        listener_(listener),
        classes_(network_.group(), stage_.replication),
        slots_(classes_.count()),
        representatives_(classes_.count()) {
    for (Node node = network_.order(); node-- > 0;) representatives_[classes_.of(node)] = node;
    for (Node c = 0; c < classes_.count(); ++c) {
      for (std::uint32_t part = 0; part < parts_; ++part) values_.emplace_back(own(part));
    }
    result_.replication = stage_.replication;
    for (Node node = 0; node < network_.order(); ++node) {
      if (std::ranges::count(plan.failed.nodes, node) == 0) result_.up.push_back(node);
    }
  }

  MovePlan run() {
    add_sources();
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) run_round(stage_.rounds.round(t));
    add_sinks();
    for (const Slots& slots : slots_) result_.buffers.push_back({.input_blocks = 1, .slots = slots.count()});
    return std::move(result_);
  }

 private:
  static Place own(std::uint32_t part) { return {Buffer::input, part}; }
  Values& values(Node node, std::uint32_t part) {
    return values_[std::size_t{classes_.of(node)} * parts_ + part];
  }
  bool takes_part(Node node) const { return std::ranges::binary_search(result_.up, node); }

  Place sum(Node node, std::uint32_t part, const std::vector<ValueId>& terms) {
    const auto add = [&](Place from, Place to, OnArrival arrival) {
      moves_.push_back(
          {.sender = node, .receiver = node, .part = part, .from = from, .to = to, .arrival = arrival});
    };
    return values(node, part).sum(terms, slots_[classes_.of(node)], add);
  }

  void run_round(std::span<const Hop> hops) {
    std::vector<PacketMove> sent;
    for (const Hop& hop : hops) {
      const schedule::Sum& terms = stage_.sums[hop.packet];
      sent.push_back({.sender = hop.from,
                      .receiver = network_.neighbour(hop.from, hop.port),
                      .port = hop.port,
                      .part = terms.part,
                      .from = sum(hop.from, terms.part, terms.values)});
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

  void add_sinks() {
    std::vector<Place> places;  // by class, of the part under way
    for (std::uint32_t part = 0; part < parts_; ++part) {
      places.clear();
      for (Node c = 0; c < classes_.count(); ++c) {
        const bool alike = stage_.result.size() == parts_;
        const auto& terms = stage_.result[alike ? part : std::size_t{part} * classes_.count() + c];
        places.push_back(takes_part(representatives_[c]) ? sum(representatives_[c], part, terms) : own(part));
      }
      for (const Node node : result_.up) result_.sinks.push_back({part, node, places[classes_.of(node)]});
    }
    tell();
  }

  const network::Network& network_;
  const schedule::Stage& stage_;
  std::uint32_t parts_;
  const RoundListener& listener_;
  schedule::NodeClasses classes_;
  std::vector<Slots> slots_;           // by class
  std::vector<Node> representatives_;  // by class, the least
  std::vector<Values> values_;         // by class and part
  std::vector<PacketMove> moves_;      // local ones, not yet told
  MovePlan result_;
};

}  // namespace

MovePlan compile_exchange_moves(const Plan& plan, const RoundListener& listener) {
  require_in_range(plan);
  return ExchangeMoves(plan, listener).run();
}

}  // namespace isotrope::rank
