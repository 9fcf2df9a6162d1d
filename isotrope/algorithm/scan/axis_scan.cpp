// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/axis_scan.hpp"

#include <algorithm>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/exchanges.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Node;
using schedule::PacketId;
using schedule::Port;
using schedule::Problem;
using schedule::Stage;
using schedule::ValueId;

// The rounds of one part along one axis. In its round r the value of the node r + 1 behind comes over `forward`, and in
// the first `backwards` rounds that of the node r + 1 ahead over `backward`, if the axis is closed or there is such a node.
struct AxisPhase {
  network::TorusAxis axis;
  bool open;
  std::uint64_t begin;  // the first round, from the begin of the part
  std::uint64_t rounds;
  std::uint64_t backwards;
  ValueId values;  // that a node has before

  /// The value that comes over `forward` in round r of the phase; what comes over `backward` is the next.
  ValueId arrival(std::uint64_t r) const { return values + static_cast<ValueId>(r + std::min(r, backwards)); }
  Port ports_in(std::uint64_t r) const { return r < backwards ? 2 : 1; }
};

std::vector<AxisPhase> phases(const Problem& problem) {
  const bool both_ways = problem.ports.sends(problem.network.degree()) > 1;
  auto axes = *network::torus_axes(problem.network);
  std::ranges::reverse(axes);  // the least significant first
  std::vector<AxisPhase> result;
  std::uint64_t begin = 0;
  ValueId values = 1;
  for (const auto& axis : axes) {
    const bool open = std::ranges::count(problem.failed.open_axes, axis.coordinate) > 0;
    const std::uint64_t others = axis.extent - 1, half = both_ways ? others / 2 : 0;
    const std::uint64_t rounds = open ? others : others - half;
    result.push_back({axis, open, begin, rounds, open ? others : half, values});
    begin += rounds;
    values += axis.extent - 1;
  }
  return result;
}

std::uint64_t rounds_of_a_part(const std::vector<AxisPhase>& phases) {
  return phases.empty() ? 0 : phases.back().begin + phases.back().rounds;
}

// Whether parts that begin `interval` rounds apart use `most` ports at most.
bool fits_ports(const std::vector<AxisPhase>& phases, std::uint64_t interval, Port most) {
  std::vector<Port> used(interval, 0);
  for (const AxisPhase& phase : phases) {
    for (std::uint64_t r = 0; r < phase.rounds; ++r) used[(phase.begin + r) % interval] += phase.ports_in(r);
  }
  return std::ranges::max(used) <= most;
}

// The rounds from the begin of a part to that of the next: 0 if all parts go together.
std::uint64_t axis_interval(const Problem& problem, const std::vector<AxisPhase>& phases) {
  if (problem.aggregated() || phases.empty()) return 0;
  std::uint64_t interval = std::ranges::max(phases, {}, &AxisPhase::rounds).rounds;
  while (!fits_ports(phases, interval, problem.ports.sends(problem.network.degree()))) ++interval;
  return interval;
}

// A message of one part: a sum of values of its sender.
struct Message {
  Node from;
  Port port;
  std::vector<ValueId> values;
};
using Messages = std::vector<std::vector<Message>>;  // by round

// The messages of node 0, which all nodes send alike.
Messages messages_of_a_node(const std::vector<AxisPhase>& phases) {
  Messages result;
  for (const AxisPhase& phase : phases) {
    result.push_back({{0, phase.axis.forward, schedule::first_values(phase.values)}});
    if (phase.backwards > 0)
      result.back().push_back({0, phase.axis.backward, schedule::first_values(phase.values)});
    for (std::uint64_t r = 1; r < phase.rounds; ++r) {
      result.push_back({{0, phase.axis.forward, {phase.arrival(r - 1)}}});
      if (r < phase.backwards) result.back().push_back({0, phase.axis.backward, {phase.arrival(r - 1) + 1}});
    }
  }
  return result;
}

// The messages of all nodes. At an end of an open axis fewer values arrive, so nodes number their values differently.
class MessagesOfAllNodes {
 public:
  MessagesOfAllNodes(const network::Network& network, const std::vector<AxisPhase>& phases)
      : network_(network), values_(network.order(), 1) {
    for (const AxisPhase& phase : phases) run(phase);
  }
  Messages take() { return std::move(messages_); }

 private:
  // The newest value of a node in a direction: nothing arrives from beyond an end.
  struct Newest {
    std::vector<ValueId> forward, backward;
  };
  static constexpr ValueId none = UINT32_MAX;

  void run(const AxisPhase& phase) {
    Newest newest{std::vector<ValueId>(network_.order(), none), std::vector<ValueId>(network_.order(), none)};
    for (std::uint64_t r = 0; r < phase.rounds; ++r) {
      std::vector<Message>& round = messages_.emplace_back();
      for (Node node = 0; node < network_.order(); ++node) {
        const network::Coordinate place = network_.group().coordinate(node, phase.axis.coordinate);
        if (!phase.open || place + 1 < phase.axis.extent)
          send(round, r, node, phase.axis.forward, newest.forward[node]);
        if (r < phase.backwards && (!phase.open || place > 0))
          send(round, r, node, phase.axis.backward, newest.backward[node]);
      }
      newest = arrivals(phase, round);
    }
  }
  void send(std::vector<Message>& round, std::uint64_t r, Node node, Port port, ValueId newest) const {
    if (r == 0) round.push_back({node, port, schedule::first_values(values_[node])});
    if (r > 0 && newest != none) round.push_back({node, port, {newest}});
  }
  Newest arrivals(const AxisPhase& phase, const std::vector<Message>& round) {
    Newest result{std::vector<ValueId>(network_.order(), none), std::vector<ValueId>(network_.order(), none)};
    for (const Message& message : round) {
      const Node to = network_.neighbour(message.from, message.port);
      const bool forward = message.port == phase.axis.forward;
      (forward ? result.forward : result.backward)[to] = values_[to]++;
    }
    return result;
  }

  const network::Network& network_;
  std::vector<ValueId> values_;  // that each node has
  Messages messages_;
};

// Writes the messages of one part as many times as there are parts, in turns.
schedule::Schedule with_all_parts(const Problem& problem, const Messages& messages, std::uint64_t interval) {
  const auto replication =
      problem.failed.open_axes.empty() ? schedule::Replication::all() : schedule::Replication::none();
  Stage stage{schedule::Flow::exchange, replication, {}, {}};
  const std::uint64_t rounds = messages.size() + (problem.task.parts - std::uint64_t{1}) * interval;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (std::uint32_t part = 0; part < problem.task.parts && part * interval <= t; ++part) {
      if (t - part * interval >= messages.size()) continue;
      for (const Message& message : messages[t - part * interval]) {
        stage.sums.push_back({part, message.values});
        stage.rounds.add({static_cast<PacketId>(stage.sums.size() - 1), message.from, message.port});
      }
    }
    stage.rounds.close_round();
  }
  stage.result.assign(problem.task.parts, schedule::first_values(axis_scan_values(problem)));
  const auto kind = problem.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
  return one_stage(problem.ports, kind, std::move(stage));
}

}  // namespace

schedule::Schedule axis_scan(const Problem& problem) {
  const std::vector<AxisPhase> all = phases(problem);
  const Messages messages = problem.failed.open_axes.empty()
                                ? messages_of_a_node(all)
                                : MessagesOfAllNodes(problem.network, all).take();
  return with_all_parts(problem, messages, axis_interval(problem, all));
}

std::uint64_t axis_scan_hops(const Problem& problem) {
  std::uint64_t rounds = 0;
  for (const AxisPhase& phase : phases(problem)) rounds += phase.rounds + phase.backwards;
  return rounds * problem.task.parts * (problem.failed.open_axes.empty() ? 1 : problem.network.order());
}

std::uint64_t axis_scan_rounds(const Problem& problem) {
  const std::vector<AxisPhase> all = phases(problem);
  return rounds_of_a_part(all) + (problem.task.parts - std::uint64_t{1}) * axis_interval(problem, all);
}

std::uint64_t axis_scan_values(const Problem& problem) {
  const auto axes = network::torus_axes(problem.network);
  std::uint64_t values = 1;
  for (const network::TorusAxis& axis : *axes) values += axis.extent - 1;
  return values;
}

}  // namespace isotrope::algorithm
