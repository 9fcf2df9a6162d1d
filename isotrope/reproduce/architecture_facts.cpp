// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/architecture_facts.hpp"

#include <array>
#include <set>

#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

using graph::Architecture;
using network::Node;
using network::SurvivingNetwork;

// The most directed links of a symmetric network that is searched.
constexpr std::uint64_t most_searched_links = std::uint64_t{1} << 24;

// The most links, times nodes, of a network without symmetry whose connectivity is measured by a flow to every node.
constexpr std::uint64_t most_links_of_flows = std::uint64_t{1} << 25;

// Measures a symmetric network by arithmetic, and a search from node 0.
void measure_whole(const network::Network& network, ArchitectureFacts& facts) {
  facts.nodes = network.order();
  facts.links = network.directed_links() / 2;
  facts.diameter = network.diameter();
  facts.mean_distance = network.average_distance();
  facts.degrees = {network.degree()};
  if (network.directed_links() <= graph::largest_connectivity_links)
    facts.connectivity = graph::node_connectivity(network);
  facts.link_connectivity = graph::link_connectivity(network);
  if (network.order() > 1 && network.directed_links() <= most_searched_links)
    facts.paths = graph::shortest_paths({network, {}}, std::array{Node{0}});
}

// A product of connected networks has as many link-disjoint paths between any two nodes as its least degree if each factor
// has (J.-M. Xu, C. Yang 2006); a line and a Cayley graph have. Of other graphs, and of unlike links, the cuts are searched.
void measure_connectivity(const SurvivingNetwork& network, ArchitectureFacts& facts) {
  if (network.failures().only_open_axes() && !network::has_copies(network.whole()))
    facts.link_connectivity = facts.degrees.front();
  if (facts.nodes * facts.links > most_links_of_flows) return;
  facts.connectivity = graph::node_connectivity(network);
  if (!facts.link_connectivity) facts.link_connectivity = graph::link_connectivity(network);
}

// Measures any other network by search from every node.
void measure_by_search(const SurvivingNetwork& network, ArchitectureFacts& facts) {
  facts.nodes = static_cast<Node>(network.nodes().size());
  facts.links = network.links();
  std::set<network::Port> degrees;
  for (const Node node : network.nodes()) degrees.insert(network.degree(node));
  facts.degrees.assign(degrees.begin(), degrees.end());
  const graph::ShortestPaths paths = graph::shortest_paths(network, network.nodes());
  facts.diameter = paths.longest;
  facts.mean_distance = paths.mean_length;
  if (facts.nodes > 1) facts.paths = paths;
  measure_connectivity(network, facts);
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
