// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/exchanges.hpp"

#include <numeric>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

std::vector<ValueId> first_values(std::uint32_t count) {
  std::vector<ValueId> result(count);
  std::iota(result.begin(), result.end(), ValueId{0});
  return result;
}

void require_replicated_copies(const Schedule& schedule) {
  const bool fits = schedule.stages.size() == 1 && schedule.stages.front().flow == Flow::copy &&
                    schedule.stages.front().replication == Replication::all();
  if (!fits)
    throw Error("only an allgather of one stage that is the same from every node gathers what is reduced");
}

// Numbers the values of a node as they come. The node that is x away from an origin has the origin's value.
class ValuesByDistance {
 public:
  ValuesByDistance(std::uint32_t parts, Node order)
      : order_(order), value_(std::size_t{parts} * order, 0), next_(parts, 1) {}

  ValueId at(std::uint32_t part, Node x) const { return value_[std::size_t{part} * order_ + x]; }
  void receive(std::uint32_t part, Node x) { value_[std::size_t{part} * order_ + x] = next_[part]++; }

 private:
  Node order_;
  std::vector<ValueId> value_;
  std::vector<ValueId> next_;
};

}  // namespace

Schedule gather_then_reduce(const network::Network& network, std::uint32_t parts, const Schedule& schedule) {
  require_replicated_copies(schedule);
  const Rounds& gathered = schedule.stages.front().rounds;
  Stage stage{Flow::exchange, Replication::all(), {}, {}};
  stage.rounds.reserve(gathered.size(), gathered.hop_count());
  ValuesByDistance values(parts, network.order());
  for (std::uint64_t t = 0; t < gathered.size(); ++t) {
    for (const Hop& hop : gathered.round(t)) {
      stage.rounds.add({static_cast<PacketId>(stage.sums.size()), 0, hop.port});
      stage.sums.push_back({hop.packet, {values.at(hop.packet, hop.from)}});
    }
    stage.rounds.close_round();
    for (const Hop& hop : gathered.round(t))
      values.receive(hop.packet, network.neighbour(hop.from, hop.port));
  }
  stage.result.assign(parts, first_values(network.order()));
  Schedule result = schedule;
  result.stages = {std::move(stage)};
  return result;
}

std::optional<Schedule> gathered_copies(const network::Network& network, std::uint32_t parts,
                                        const Schedule& schedule) {
  const Stage& exchange = schedule.stages.front();
  Stage stage{Flow::copy, Replication::all(), {}, {}};
  stage.rounds.reserve(exchange.rounds.size(), exchange.rounds.hop_count());
  // By part and value: how far its receiver is away from its origin.
  std::vector<std::vector<Node>> distance(parts, std::vector<Node>{0});
  for (std::uint64_t t = 0; t < exchange.rounds.size(); ++t) {
    for (const Hop& hop : exchange.rounds.round(t)) {
      const Sum& sum = exchange.sums[hop.packet];
      if (sum.values.size() != 1) return std::nullopt;
      stage.rounds.add({sum.part, distance[sum.part][sum.values.front()], hop.port});
    }
    stage.rounds.close_round();
    for (const Hop& hop : exchange.rounds.round(t)) {
      const Sum& sum = exchange.sums[hop.packet];
      std::vector<Node>& of_part = distance[sum.part];
      of_part.push_back(network.neighbour(of_part[sum.values.front()], hop.port));
    }
  }
  for (const std::vector<ValueId>& result : exchange.result) {
    if (result.size() != network.order()) return std::nullopt;
  }
  Schedule result = schedule;
  result.stages = {std::move(stage)};
  return result;
}

bool carries_running_sums(const Stage& stage, std::uint32_t parts) {
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
  stage.result = {first_values(static_cast<std::uint32_t>(ports.size()) + 1)};
  return {model, RoundKind::strict, {std::move(stage)}};
}

}  // namespace isotrope::schedule
