// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/exchanges.hpp"

#include <algorithm>
#include <numeric>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

namespace isotrope::schedule {
namespace {

void require_copies(const Schedule& schedule) {
  const auto gathers = [](const Stage& stage) {
    const bool listed = stage.replication == Replication::none() && !stage.packets.empty();
    return stage.flow == Flow::copy && (listed || stage.replication == Replication::all());
  };
  if (schedule.stages.size() != 1 || !gathers(schedule.stages.front()))
    throw Error(
        "only an allgather of one stage, listed or the same from every node, gathers what is reduced");
}

// `schedule` with this stage for its only one.
Schedule with_stage(const Schedule& schedule, Stage stage) {
  Schedule result = one_stage(schedule.ports, schedule.round_kind, std::move(stage));
  result.waiting = schedule.waiting;
  result.barriers = schedule.barriers;
  result.step_limits = schedule.step_limits;
  return result;
}

// The contributions that a node has, by the number of the value and by origin. Of a stage that is the same from every
// node, only node 0 is kept: an origin is how far the value is away from it.
class GatheredValues {
 public:
  GatheredValues(const network::Network& network, std::uint32_t parts, bool replicated)
      : network_(network), parts_(parts), replicated_(replicated) {
    const Node nodes = replicated ? 1 : network.order();
    value_.resize(std::size_t{nodes} * parts * network.order());
    origin_.resize(std::size_t{nodes} * parts);
    for (Node node = 0; node < nodes; ++node) {
      for (std::uint32_t part = 0; part < parts; ++part) receive(part, node, node);
    }
  }

  /// The origin of a packet at `node`, or the distance that stands for it. Packets of a replicated stage are of 0.
  Node origin(Node packet_origin, Node node) const { return replicated_ ? node : packet_origin; }
  ValueId value(std::uint32_t part, Node node, Node origin) const { return value_[at(part, node, origin)]; }
  Node origin_of(std::uint32_t part, Node node, ValueId value) const {
    return origin_[list(part, node)][value];
  }
  void receive(std::uint32_t part, Node node, Node origin) {
    std::vector<Node>& values = origin_[list(part, node)];
    value_[at(part, node, origin)] = static_cast<ValueId>(values.size());
    values.push_back(origin);
  }

 private:
  std::size_t list(std::uint32_t part, Node node) const {
    return std::size_t{replicated_ ? 0 : node} * parts_ + part;
  }
  std::size_t at(std::uint32_t part, Node node, Node origin) const {
    return list(part, node) * network_.order() + origin;
  }

  const network::Network& network_;
  std::uint32_t parts_;
  bool replicated_;
  std::vector<ValueId> value_;             // by node, part and origin
  std::vector<std::vector<Node>> origin_;  // by node and part, then by value
};

bool is_replicated(const Stage& stage) {
  return stage.replication == Replication::all();
}

}  // namespace

std::vector<ValueId> first_values(std::uint64_t count) {
  std::vector<ValueId> result(count);
  std::iota(result.begin(), result.end(), ValueId{0});
  return result;
}

Schedule gather_then_reduce(const network::Network& network, std::uint32_t parts, const Schedule& schedule) {
  require_copies(schedule);
  const Stage& copies = schedule.stages.front();
  const Rounds& gathered = copies.rounds;
  Stage stage{Flow::exchange, copies.replication, {}, {}};
  stage.rounds.reserve(gathered.size(), gathered.hop_count());
  GatheredValues values(network, parts, is_replicated(copies));
  const Packets packets(network, {.collective = Collective::allgather, .parts = parts}, copies);
  // Sums of one value each, by part and value; a sum serves all senders of a listed stage.
  std::vector<PacketId> sum_of(std::size_t{parts} * network.order(), UINT32_MAX);
  for (std::uint64_t t = 0; t < gathered.size(); ++t) {
    for (const Hop& hop : gathered.round(t)) {
      const auto [origin, to, block, part] = packets[hop.packet];
      const ValueId value = values.value(part, hop.from, values.origin(origin, hop.from));
      PacketId& sum = sum_of[std::size_t{part} * network.order() + value];
      if (sum == UINT32_MAX || is_replicated(copies)) {
        sum = static_cast<PacketId>(stage.sums.size());
        stage.sums.push_back({part, {value}});
      }
      stage.rounds.add({sum, is_replicated(copies) ? 0 : hop.from, hop.port});
    }
    stage.rounds.close_round();
    for (const Hop& hop : gathered.round(t)) {
      const auto [origin, to, block, part] = packets[hop.packet];
      const Node node = network.neighbour(hop.from, hop.port);
      values.receive(part, node, values.origin(origin, node));
    }
  }
  const std::uint64_t nodes = is_replicated(copies) ? network.order() : copies.packets.size() / parts;
  stage.result.assign(parts, first_values(nodes));
  return with_stage(schedule, std::move(stage));
}

std::optional<Schedule> gathered_copies(const network::Network& network, std::uint32_t parts,
                                        const Schedule& schedule) {
  const Stage& exchange = schedule.stages.front();
  if (exchange.replication.kind == Replication::Kind::even_axis) return std::nullopt;
  if (std::ranges::any_of(exchange.sums, [](const Sum& sum) { return sum.values.size() != 1; }))
    return std::nullopt;
  const bool replicated = is_replicated(exchange);
  Stage stage{Flow::copy, exchange.replication, {}, {}};
  for (Node origin = 0; !replicated && origin < network.order(); ++origin) {
    for (std::uint32_t part = 0; part < parts; ++part) stage.packets.push_back({origin, to_all, 0, part});
  }
  stage.rounds.reserve(exchange.rounds.size(), exchange.rounds.hop_count());
  GatheredValues values(network, parts, replicated);
  for (std::uint64_t t = 0; t < exchange.rounds.size(); ++t) {
    for (const Hop& hop : exchange.rounds.round(t)) {
      const Sum& sum = exchange.sums[hop.packet];
      const Node origin = values.origin_of(sum.part, hop.from, sum.values.front());
      stage.rounds.add(replicated ? Hop{sum.part, origin, hop.port}
                                  : Hop{origin * parts + sum.part, hop.from, hop.port});
    }
    stage.rounds.close_round();
    const auto sent = stage.rounds.round(t);
    for (const Hop& hop : sent) {
      const Node to = network.neighbour(hop.from, hop.port);
      const std::uint32_t part = hop.packet % parts;
      values.receive(part, to, replicated ? to : hop.packet / parts);
    }
  }
  for (const std::vector<ValueId>& result : exchange.result) {
    if (result.size() != network.order()) return std::nullopt;
  }
  return with_stage(schedule, std::move(stage));
}

bool carries_running_sums(const Stage& stage, std::uint32_t parts) {
  if (!is_replicated(stage)) return false;
  std::vector<std::uint32_t> values(parts, 1);
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) {
      const Sum& sum = stage.sums[hop.packet];
      if (sum.values.size() != values[sum.part]) return false;
    }
    for (const Hop& hop : stage.rounds.round(t)) ++values[stage.sums[hop.packet].part];
  }
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (stage.result[part].size() != values[part]) return false;
  }
  return true;
}

Schedule recursive_doubling(PortModel model, const std::vector<Port>& ports) {
  Stage stage{Flow::exchange, Replication::all(), {}, {}};
  for (const Port port : ports) {
    const auto round = static_cast<std::uint32_t>(stage.sums.size());
    stage.rounds.add({round, 0, port});
    stage.rounds.close_round();
    stage.sums.push_back({0, first_values(round + 1)});
  }
  stage.result = {first_values(ports.size() + 1)};
  return one_stage(model, RoundKind::strict, std::move(stage));
}

}  // namespace isotrope::schedule
