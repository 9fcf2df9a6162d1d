// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"

#include <utility>

#include "isotrope/schedule/packets.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::PortModel;

// What a node passes on in its k-th turn: a part of the block of the node so many places behind it.
struct CycleTurn {
  Node behind;
  std::uint32_t part;
};

// The nodes that part `part` reaches in way 0, forwards, or 1 of `ways`, N - 1 in all. Parts take turns to go farther forwards.
Node reach(Node nodes, std::size_t ways, std::size_t way, std::uint32_t part) {
  if (ways == 1) return nodes - 1;
  const Node less = (nodes - 1) / 2, more = nodes - 1 - less;
  return (part % 2 == 0) == (way == 0) ? more : less;
}

// Own parts first, then those of the nodes behind, the nearest first.
std::vector<CycleTurn> turns(Node nodes, std::uint32_t parts, std::size_t ways, std::size_t way) {
  std::vector<CycleTurn> result;
  for (Node behind = 0; behind + 1 < nodes; ++behind) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      if (behind < reach(nodes, ways, way, part)) result.push_back({behind, part});
    }
  }
  return result;
}

// Whether it is the turn of the node at this place of the cycle.
bool has_turn(Node place, std::uint64_t t, Node nodes, PortModel ports) {
  if (!ports.half_duplex()) return true;
  const auto o = static_cast<Node>((place + nodes - t % nodes) % nodes);
  return nodes % 2 == 0 ? (place + t) % 2 == 0 : o % 2 == 0 && o + 3 <= nodes;
}

// Two nodes are one way round only.
std::size_t ways_round(Node nodes, Port degree, PortModel ports) {
  return nodes > 2 && !ports.half_duplex() && ports.sends(degree) > 1 ? 2 : 1;
}

// One way round the cycle.
struct Way {
  std::vector<Node> nodes;
  std::vector<Port> ports;  // by place, the port to the next node
  std::vector<CycleTurn> turns;
  std::vector<std::size_t> taken;  // turns, by place
};

Way way_round(const network::Network& network, std::vector<Node> nodes, std::vector<CycleTurn> turns) {
  Way result{std::move(nodes), {}, std::move(turns), {}};
  const std::size_t count = result.nodes.size();
  for (std::size_t i = 0; i < count && count > 1; ++i)
    result.ports.push_back(network.port_to(result.nodes[i], result.nodes[(i + 1) % count]));
  result.taken.assign(count, 0);
  return result;
}

}  // namespace

std::uint64_t cycle_allgather_rounds(Node nodes, Port degree, std::uint32_t parts, PortModel ports) {
  if (nodes == 1) return 0;
  if (ports.half_duplex()) return 2 * std::uint64_t{nodes - (nodes % 2 == 0 ? 1 : 0)} * parts;
  const std::uint64_t ways = ways_round(nodes, degree, ports);
  return (std::uint64_t{nodes - 1} * parts + ways - 1) / ways;
}

schedule::Schedule cycle_allgather(const network::Network& network, const std::vector<Node>& cycle,
                                   std::uint32_t parts, PortModel ports) {
  const auto nodes = static_cast<Node>(cycle.size());
  const std::uint64_t rounds = cycle_allgather_rounds(nodes, network.degree(), parts, ports);
  schedule::Stage stage{
      schedule::Flow::copy, schedule::Replication::none(), schedule::packets_to_all(nodes, parts), {}};
  const std::size_t ways = ways_round(nodes, network.degree(), ports);
  std::vector<Way> all{way_round(network, cycle, turns(nodes, parts, ways, 0))};
  if (ways == 2)
    all.push_back(way_round(network, {cycle.rbegin(), cycle.rend()}, turns(nodes, parts, ways, 1)));
  stage.rounds.reserve(rounds, std::uint64_t{nodes} * (nodes - 1) * parts);
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (Way& way : all) {
      for (Node i = 0; i < nodes; ++i) {
        if (!has_turn(i, t, nodes, ports) || way.taken[i] == way.turns.size()) continue;
        const CycleTurn turn = way.turns[way.taken[i]++];
        const Node origin = way.nodes[(i + nodes - turn.behind) % nodes];
        stage.rounds.add({origin * parts + turn.part, way.nodes[i], way.ports[i]});
      }
    }
    stage.rounds.close_round();
  }
  return one_stage(ports, schedule::RoundKind::strict, std::move(stage));
}

}  // namespace isotrope::algorithm
