// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"

#include <utility>
#include <vector>

#include "isotrope/graph/hamiltonian_cycle.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::PacketId;

bool sends(Node position, std::uint64_t t, Node nodes) {
  const auto o = static_cast<Node>((position + nodes - t % nodes) % nodes);
  return nodes % 2 == 0 ? (position + t) % 2 == 0 : o % 2 == 0 && o + 3 <= nodes;
}

// The packets that a node passes on, in order.
struct Queue {
  std::vector<PacketId> packets;
  std::size_t next = 0;
};

// By node along the cycle, the port to the next one; of a single node, none.
std::vector<Port> forward_ports(const network::Network& network, const std::vector<Node>& cycle) {
  std::vector<Port> result(cycle.size() == 1 ? 0 : cycle.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    while (network.neighbour(cycle[i], result[i]) != cycle[(i + 1) % cycle.size()]) ++result[i];
  }
  return result;
}

}  // namespace

std::uint64_t cycle_allgather_rounds(Node nodes, std::uint32_t parts) {
  if (nodes == 1) return 0;
  return 2 * std::uint64_t{nodes - (nodes % 2 == 0 ? 1 : 0)} * parts;
}

schedule::Schedule cycle_allgather(const network::Network& network, std::uint32_t parts) {
  const std::vector<Node> cycle = graph::hamiltonian_cycle(network);
  const std::vector<Port> ports = forward_ports(network, cycle);
  const Node nodes = network.order();
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  std::vector<Queue> queues(nodes);
  for (Node origin = 0; origin < nodes; ++origin) {
    for (std::uint32_t part = 0; part < parts; ++part)
      stage.packets.push_back({origin, schedule::to_all, 0, part});
  }
  for (Node i = 0; i < nodes; ++i) {
    queues[i].packets.reserve(std::size_t{nodes} * parts);
    for (std::uint32_t part = 0; part < parts; ++part) queues[i].packets.push_back(cycle[i] * parts + part);
  }
  stage.rounds.reserve(cycle_allgather_rounds(nodes, parts), std::uint64_t{nodes} * (nodes - 1) * parts);
  for (std::uint64_t t = 0; t < cycle_allgather_rounds(nodes, parts); ++t) {
    for (Node i = 0; i < nodes; ++i) {
      Queue& queue = queues[i];
      if (!sends(i, t, nodes) || queue.next == queue.packets.size()) continue;
      const PacketId packet = queue.packets[queue.next++];
      const Node to = (i + 1) % nodes;
      stage.rounds.add({packet, cycle[i], ports[i]});
      if (packet / parts != cycle[(to + 1) % nodes]) queues[to].packets.push_back(packet);
    }
    stage.rounds.close_round();
  }
  return one_stage(schedule::PortModel::half(), schedule::RoundKind::strict, std::move(stage));
}

}  // namespace isotrope::algorithm
