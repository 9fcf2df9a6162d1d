// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/architecture_facts.hpp"

#include <algorithm>
#include <set>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

using graph::Architecture;
using network::Node;
using network::SurvivingNetwork;

// Measures a symmetric network by arithmetic.
void measure_whole(const network::Network& network, ArchitectureFacts& facts) {
  facts.nodes = network.order();
  facts.links = network.directed_links() / 2;
  facts.diameter = network.diameter();
  facts.mean_distance = network.average_distance();
  facts.degrees = {network.degree()};
  if (network.directed_links() <= graph::largest_connectivity_links)
    facts.connectivity = graph::node_connectivity(network);
}

// Measures any other network by search from every node.
void measure_by_search(const SurvivingNetwork& network, ArchitectureFacts& facts) {
  facts.nodes = static_cast<Node>(network.nodes().size());
  facts.links = network.links();
  std::set<network::Port> degrees;
  std::uint64_t sum = 0;
  for (const Node node : network.nodes()) {
    degrees.insert(network.degree(node));
    const std::vector<std::uint32_t> distance = network.distances(node);
    for (const Node other : network.nodes()) {
      sum += distance[other];
      facts.diameter = std::max(facts.diameter, distance[other]);
    }
  }
  facts.degrees.assign(degrees.begin(), degrees.end());
  const double pairs = static_cast<double>(facts.nodes) * (static_cast<double>(facts.nodes) - 1);
  facts.mean_distance = static_cast<double>(sum) / pairs;
  facts.connectivity = graph::node_connectivity(network);
}

}  // namespace

std::vector<schedule::Collective> measured_collectives() {
  using schedule::Collective;
  return {Collective::broadcast, Collective::scatter, Collective::allgather, Collective::alltoall};
}

ArchitectureFacts facts_of(const Architecture& architecture) {
  ArchitectureFacts facts{.name = architecture.name};
  if (architecture.missing.empty()) {
    measure_whole(architecture.network, facts);
  } else {
    measure_by_search({architecture.network, architecture.missing}, facts);
  }
  if (facts.links > 0)
    facts.density = static_cast<double>(facts.nodes) * facts.mean_distance / static_cast<double>(facts.links);
  if (facts.nodes <= graph::largest_bisected_order)
    facts.bisection = graph::bisection({architecture.network, architecture.missing});
  return facts;
}

CollectiveRounds rounds_of(const Architecture& architecture, schedule::Collective collective) {
  const Measured measured = measure(
      {.network = architecture.network, .failed = architecture.missing, .task = {.collective = collective}});
  return {collective, measured.report.rounds, measured.report.bound.value};
}

}  // namespace isotrope::reproduce
