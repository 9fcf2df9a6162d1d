// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/gossip_schedules.hpp"

#include <utility>

#include "isotrope/schedule/transform.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Hop;
using schedule::Packet;
using schedule::Rounds;

// How the packet of one origin reaches a node: in which round, and from where over which port.
struct Arrival {
  std::uint32_t round = UINT32_MAX;
  Node from = 0;
  Port port = 0;
};

// The first arrivals of the packet of `origin` at every node. A message tells what its sender knew before the round.
std::vector<Arrival> arrivals(const Network& network, const Gossip& gossip, Node origin) {
  std::vector<Arrival> result(network.order());
  std::vector<std::uint8_t> knows(network.order(), 0);
  std::vector<Node> informed{origin};
  knows[origin] = 1;
  const auto tell = [&](std::uint32_t t, Node from, Port port) {
    const Node to = network.neighbour(from, port);
    if (knows[from] == 0 || knows[to] != 0 || result[to].round == t) return;
    result[to] = {t, from, port};
    informed.push_back(to);
  };
  for (std::uint32_t t = 0; t < gossip.rounds.size(); ++t) {
    const std::size_t before = informed.size();
    for (const auto [node, port] : gossip.rounds[t]) {
      if (!gossip.invariant) {
        tell(t, node, port);
        continue;
      }
      for (std::size_t i = 0; i < before; ++i) tell(t, informed[i], port);
    }
    for (std::size_t i = before; i < informed.size(); ++i) knows[informed[i]] = 1;
  }
  return result;
}

// Rounds filled in any order.
class RoundLists {
 public:
  explicit RoundLists(std::size_t rounds) : lists_(rounds) {}
  void add(std::uint32_t round, Hop hop) { lists_[round].push_back(hop); }
  Rounds rounds() const {
    Rounds result;
    std::uint64_t hops = 0;
    for (const auto& list : lists_) hops += list.size();
    result.reserve(lists_.size(), hops);
    append(lists_, result);
    return result;
  }

 private:
  std::vector<std::vector<Hop>> lists_;
};

// The origins that a schedule lists: all, or one that stands for all.
Node listed_origins(const Network& network, const Gossip& gossip) {
  return gossip.invariant ? 1 : network.order();
}

schedule::Schedule aggregated_stage(const Gossip& gossip, schedule::PortModel ports, schedule::Flow flow,
                                    std::vector<Packet> packets, const RoundLists& lists) {
  const auto replication = gossip.invariant ? schedule::Replication::all() : schedule::Replication::none();
  return one_stage(ports, schedule::RoundKind::aggregated,
                   {flow, replication, std::move(packets), lists.rounds()});
}

}  // namespace

schedule::Schedule gossip_allgather(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                    const Gossip& gossip) {
  RoundLists lists(gossip.rounds.size());
  std::vector<Packet> packets;
  for (Node origin = 0; origin < listed_origins(network, gossip); ++origin) {
    for (std::uint32_t part = 0; part < parts && !gossip.invariant; ++part)
      packets.push_back({origin, schedule::to_all, 0, part});
    for (const Arrival& arrival : arrivals(network, gossip, origin)) {
      if (arrival.round == UINT32_MAX) continue;
      for (std::uint32_t part = 0; part < parts; ++part)
        lists.add(arrival.round, {origin * parts + part, arrival.from, arrival.port});
    }
  }
  return aggregated_stage(gossip, ports, schedule::Flow::copy, std::move(packets), lists);
}

schedule::Schedule gossip_exchange(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                   const Gossip& gossip) {
  RoundLists lists(gossip.rounds.size());
  std::vector<Packet> packets;
  std::uint32_t first_packet =
      0;  // of a destination; the replicated schedule's are numbered by relative address
  for (Node origin = 0; origin < listed_origins(network, gossip); ++origin) {
    const std::vector<Arrival> arrived = arrivals(network, gossip, origin);
    for (Node to = 0; to < network.order(); ++to) {
      if (gossip.invariant) first_packet = to * parts;
      if (to == origin) continue;
      for (Node at = to; at != origin; at = arrived[at].from) {
        for (std::uint32_t part = 0; part < parts; ++part)
          lists.add(arrived[at].round, {first_packet + part, arrived[at].from, arrived[at].port});
      }
      if (gossip.invariant) continue;
      for (std::uint32_t part = 0; part < parts; ++part) packets.push_back({origin, to, 0, part});
      first_packet += parts;
    }
  }
  return aggregated_stage(gossip, ports, schedule::Flow::move, std::move(packets), lists);
}

}  // namespace isotrope::algorithm
