// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/repeated_parts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PacketId;
using schedule::Schedule;
using schedule::Stage;

// Hops of every link, and of every node, in the rounds of an interval.
class BusyRounds {
 public:
  BusyRounds(const Network& network, Port sends, std::uint64_t interval)
      : network_(network),
        sends_(sends),
        interval_(interval),
        busy_(network.directed_links() * interval, false),
        sent_(limited() ? network.order() * interval : 0, 0),
        received_(sent_.size(), 0) {}

  /// Whether the link and both nodes are free in round t, which the hop then takes.
  bool take(const Hop& hop, std::uint64_t t) {
    const std::uint64_t link = std::uint64_t{hop.from} * network_.degree() + hop.port;
    const std::uint64_t at = link * interval_ + t % interval_;
    if (busy_[at]) return false;
    busy_[at] = true;
    if (!limited()) return true;
    const Node to = network_.neighbour(hop.from, hop.port);
    return ++sent_[hop.from * interval_ + t % interval_] <= sends_ &&
           ++received_[to * interval_ + t % interval_] <= sends_;
  }

 private:
  bool limited() const { return sends_ < network_.degree(); }

  const Network& network_;
  Port sends_;
  std::uint64_t interval_;
  std::vector<bool> busy_;      // by link and round
  std::vector<Port> sent_;      // by node and round
  std::vector<Port> received_;  // by node and round
};

bool fits(const Network& network, const Schedule& one_part, std::uint64_t interval) {
  const schedule::Rounds& rounds = one_part.stages.front().rounds;
  BusyRounds busy(network, one_part.ports.sends(network.degree()), interval);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t)) {
      if (!busy.take(hop, t)) return false;
    }
  }
  return true;
}

}  // namespace

std::uint64_t part_interval(const Network& network, const Schedule& one_part) {
  const std::uint64_t rounds = one_part.round_count();
  if (one_part.round_kind == schedule::RoundKind::aggregated || rounds == 0) return 0;
  std::uint64_t interval = 1;
  while (interval < rounds && !fits(network, one_part, interval)) ++interval;
  return interval;
}

Schedule repeated_parts(const Network& network, const Schedule& one_part, std::uint32_t parts) {
  const Stage& one = one_part.stages.front();
  const std::uint64_t length = one.rounds.size(), interval = part_interval(network, one_part);
  Stage stage{one.flow, one.replication, {}, {}};
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (const schedule::Sum& sum : one.sums) stage.sums.push_back({part, sum.values});
    stage.result.insert(stage.result.end(), one.result.begin(), one.result.end());
  }
  const std::uint64_t rounds = length + (parts - std::uint64_t{1}) * interval;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (std::uint32_t part = 0; part < parts && part * interval <= t; ++part) {
      if (t - part * interval >= length) continue;
      for (const Hop& hop : one.rounds.round(t - part * interval))
        stage.rounds.add({static_cast<PacketId>(part * one.sums.size() + hop.packet), hop.from, hop.port});
    }
    stage.rounds.close_round();
  }
  return {one_part.ports, one_part.round_kind, {std::move(stage)}};
}

}  // namespace isotrope::algorithm
