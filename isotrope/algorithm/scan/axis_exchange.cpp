// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/axis_exchange.hpp"

#include <algorithm>
#include <bit>
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
  std::size_t number;  // of the axis
  bool open;
  std::uint64_t begin;  // the first round, from the begin of the part
  std::uint64_t rounds;
  std::uint64_t backwards;
  ValueId values;  // that a node has before

  /// The value that comes over `forward` in round r of the phase; what comes over `backward` is the next.
  ValueId arrival(std::uint64_t r) const { return values + static_cast<ValueId>(r + std::min(r, backwards)); }
};

// The least significant axis first; other turns begin with later ones.
std::vector<AxisPhase> phases(const Problem& problem, std::size_t turn) {
  const bool both_ways = problem.ports.sends(problem.network.degree()) > 1;
  auto axes = *network::torus_axes(problem.network);
  std::ranges::reverse(axes);
  std::rotate(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(turn), axes.end());
  std::vector<AxisPhase> result;
  std::uint64_t begin = 0;
  ValueId values = 1;
  for (const auto& axis : axes) {
    const bool open = std::ranges::count(problem.failed.open_axes, axis.coordinate) > 0;
    const std::uint64_t others = axis.extent - 1, half = both_ways ? others / 2 : 0;
    const std::uint64_t rounds = open ? others : others - half;
    result.push_back(
        {axis, (turn + result.size()) % axes.size(), open, begin, rounds, open ? others : half, values});
    begin += rounds;
    values += axis.extent - 1;
  }
  return result;
}

std::uint64_t rounds_of_a_part(const std::vector<AxisPhase>& phases) {
  return phases.empty() ? 0 : phases.back().begin + phases.back().rounds;
}

// The ports in use in each round, a bit each: two an axis.
using PortsInUse = std::vector<std::uint64_t>;

PortsInUse ports_in_use(const std::vector<AxisPhase>& phases) {
  PortsInUse result(rounds_of_a_part(phases), 0);
  for (const AxisPhase& phase : phases) {
    for (std::uint64_t r = 0; r < phase.rounds; ++r)
      result[phase.begin + r] = (r < phase.backwards ? std::uint64_t{3} : 1) << 2 * phase.number;
  }
  return result;
}

// Adds `more`, from round `begin` on and in rounds modulo `period`, unless a port would be used twice or more than `most` together.
bool add_if_it_fits(PortsInUse& used, const PortsInUse& more, std::uint64_t begin, std::uint64_t period,
                    Port most) {
  PortsInUse all = used;
  all.resize(std::max<std::size_t>(all.size(), std::min<std::uint64_t>(begin + more.size(), period)), 0);
  for (std::uint64_t r = 0; r < more.size(); ++r) {
    std::uint64_t& ports = all[(begin + r) % period];
    if ((ports & more[r]) != 0) return false;
    ports |= more[r];
    if (static_cast<Port>(std::popcount(ports)) > most) return false;
  }
  used = std::move(all);
  return true;
}

// When the parts begin. Parts of different turns use different axes at first, and go together as far as they fit; the next group of
// as many parts begins `interval` rounds later. In aggregated rounds all parts go together, over few ports along one axis.
class Timetable {
 public:
  explicit Timetable(const Problem& problem) : parts_(problem.task.parts) {
    const Port degree = problem.network.degree(), most = problem.ports.sends(degree);
    // In a scan what a node gathers must be runs of nodes.
    const bool in_one_order =
        schedule::is_prefix(problem.task.collective) || (problem.aggregated() && most < degree);
    const std::size_t axes = in_one_order ? 1 : network::torus_axes(problem.network)->size();
    for (std::size_t turn = 0; turn < std::clamp<std::size_t>(axes, 1, parts_); ++turn)
      turns_.push_back(phases(problem, turn));
    begins_.assign(turns_.size(), 0);
    if (!problem.aggregated()) place(most);
  }

  std::uint32_t parts() const { return parts_; }
  const std::vector<std::vector<AxisPhase>>& turns() const { return turns_; }
  std::size_t turn(std::uint32_t part) const { return part % turns_.size(); }
  std::uint64_t begin(std::uint32_t part) const {
    return part / turns_.size() * interval_ + begins_[turn(part)];
  }
  std::uint64_t rounds() const {
    std::uint64_t result = 0;
    for (std::uint32_t part = 0; part < parts_; ++part)
      result = std::max(result, begin(part) + rounds_of_a_part(turns_[turn(part)]));
    return result;
  }

 private:
  void place(Port most) {
    PortsInUse used;
    for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
      const PortsInUse own = ports_in_use(turns_[turn]);
      while (!add_if_it_fits(used, own, begins_[turn], UINT64_MAX, most)) ++begins_[turn];
    }
    if (used.empty()) return;
    for (interval_ = 1;; ++interval_) {
      PortsInUse folded;
      if (add_if_it_fits(folded, used, 0, interval_, most)) return;
    }
  }

  std::uint32_t parts_;
  std::vector<std::vector<AxisPhase>> turns_;
  std::vector<std::uint64_t> begins_;  // by turn, in the first group
  std::uint64_t interval_ = 0;
};

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

Messages messages_of(const Problem& problem, const std::vector<AxisPhase>& phases) {
  if (problem.failed.open_axes.empty()) return messages_of_a_node(phases);
  return MessagesOfAllNodes(problem.network, phases).take();
}

}  // namespace

schedule::Schedule axis_exchange(const Problem& problem) {
  const Timetable timetable(problem);
  std::vector<Messages> messages;  // by turn
  for (const auto& phases : timetable.turns()) messages.push_back(messages_of(problem, phases));
  const auto replication =
      problem.failed.open_axes.empty() ? schedule::Replication::all() : schedule::Replication::none();
  Stage stage{schedule::Flow::exchange, replication, {}, {}};
  const std::uint64_t rounds = timetable.rounds();
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (std::uint32_t part = 0; part < timetable.parts(); ++part) {
      const Messages& own = messages[timetable.turn(part)];
      const std::uint64_t begin = timetable.begin(part);
      if (t < begin || t - begin >= own.size()) continue;
      for (const Message& message : own[t - begin]) {
        stage.sums.push_back({part, message.values});
        stage.rounds.add({static_cast<PacketId>(stage.sums.size() - 1), message.from, message.port});
      }
    }
    stage.rounds.close_round();
  }
  stage.result.assign(timetable.parts(), schedule::first_values(axis_exchange_values(problem)));
  const auto kind = problem.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
  return one_stage(problem.ports, kind, std::move(stage));
}

std::uint64_t axis_exchange_hops(const Problem& problem) {
  std::uint64_t rounds = 0;
  for (const AxisPhase& phase : phases(problem, 0)) rounds += phase.rounds + phase.backwards;
  return rounds * problem.task.parts * (problem.failed.open_axes.empty() ? 1 : problem.network.order());
}

std::uint64_t axis_exchange_rounds(const Problem& problem) {
  return Timetable(problem).rounds();
}

std::uint64_t axis_exchange_values(const Problem& problem) {
  const auto axes = network::torus_axes(problem.network);
  std::uint64_t values = 1;
  for (const network::TorusAxis& axis : *axes) values += axis.extent - 1;
  return values;
}

}  // namespace isotrope::algorithm
