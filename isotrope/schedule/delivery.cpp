// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/delivery.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::schedule {
namespace {

using network::SurvivingNetwork;

std::vector<Delivery> of_scatter(const SurvivingNetwork& network, Node root) {
  std::vector<Delivery> result;
  for (const Node node : network.nodes()) {
    if (node != root) result.push_back({root, node});
  }
  return result;
}

std::vector<Delivery> of_gather(const SurvivingNetwork& network, Node root) {
  std::vector<Delivery> result;
  for (const Node node : network.nodes()) {
    if (node != root) result.push_back({node, root});
  }
  return result;
}

// Distances are those before the failures.
std::vector<Delivery> of_neighbourhood(const SurvivingNetwork& network, std::uint32_t nearest,
                                       std::uint32_t farthest) {
  std::vector<Delivery> result;
  for (const Node from : network.nodes()) {
    for (const Node to : network.nodes()) {
      const std::uint32_t distance = network.whole().distance(from, to);
      if (nearest <= distance && distance <= farthest) result.push_back({from, to});
    }
  }
  return result;
}

std::vector<Delivery> of_alltoall(const SurvivingNetwork& network) {
  std::vector<Delivery> result;
  for (const Node from : network.nodes()) {
    for (const Node to : network.nodes()) {
      if (from != to) result.push_back({from, to});
    }
  }
  return result;
}

std::vector<Delivery> of_isotropic(const SurvivingNetwork& network,
                                   std::span<const RelativeDestination> destinations) {
  std::vector<Delivery> result;
  for (const Node from : network.nodes()) {
    for (const auto [to, blocks] : destinations) {
      const Node destination = network.whole().group().add(from, to);
      if (to != 0 && network.alive(destination)) result.push_back({from, destination, blocks});
    }
  }
  return result;
}

}  // namespace

std::vector<Delivery> deliveries_of(const Problem& problem) {
  const Task& task = problem.task;
  if (task.collective == Collective::task) return task.deliveries;
  const SurvivingNetwork network(problem.network, problem.failed);
  switch (task.collective) {
    case Collective::scatter:
      return of_scatter(network, task.root);
    case Collective::gather:
      return of_gather(network, task.root);
    case Collective::alltoall:
      return of_alltoall(network);
    case Collective::neighborhood:
      return of_neighbourhood(network, task.nearest, task.farthest);
    case Collective::isotropic:
      return of_isotropic(network, task.destinations);
    default:
      throw Error(
          fmt::format("{} does not consist of deliveries from node to node: give scatter, gather, alltoall, "
                      "neighborhood:K:L, isotropic or task",
                      to_string(task)));
  }
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
