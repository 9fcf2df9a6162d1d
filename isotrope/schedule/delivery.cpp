// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/delivery.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::schedule {

std::vector<Delivery> deliveries_of(const Problem& problem) {
  const Task& task = problem.task;
  if (task.collective == Collective::task) return task.deliveries;
  const network::SurvivingNetwork network(problem.network, problem.failed);
  std::vector<Delivery> result;
  const auto add = [&](Node from, Node to) {
    if (from != to) result.push_back({from, to});
  };
  for (const Node node : network.nodes()) {
    switch (task.collective) {
      case Collective::scatter:
        add(task.root, node);
        break;
      case Collective::gather:
        add(node, task.root);
        break;
      case Collective::alltoall:
        for (const Node to : network.nodes()) add(node, to);
        break;
      case Collective::neighborhood:  // distances are those before the failures
        for (const Node to : network.nodes()) {
          const std::uint32_t distance = problem.network.distance(node, to);
          if (task.nearest <= distance && distance <= task.farthest) result.push_back({node, to});
        }
        break;
      case Collective::isotropic:
        for (const auto [to, blocks] : task.destinations) {
          const Node destination = problem.network.group().add(node, to);
          if (to != 0 && network.alive(destination)) result.push_back({node, destination, blocks});
        }
        break;
      default:
        throw Error(fmt::format(
            "{} does not consist of deliveries from node to node: give scatter, gather, alltoall, "
            "neighborhood:K:L, isotropic or task",
            to_string(task)));
    }
  }
  return result;
}

std::vector<Packet> packets_of(const network::Network& network, std::span<const Delivery> deliveries,
                               std::uint32_t parts) {
  std::vector<std::uint32_t> next_block(network.order(), 0);
  std::vector<Packet> packets;
  for (const Delivery& delivery : deliveries) {
    for (std::uint32_t i = 0; i < delivery.blocks; ++i) {
      const std::uint32_t block = next_block[delivery.from]++;
      for (std::uint32_t part = 0; part < parts; ++part)
        packets.push_back({delivery.from, delivery.to, block, part});
    }
  }
  return packets;
}

}  // namespace isotrope::schedule
