// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/lanes.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/port_axis.hpp"

namespace isotrope::algorithm {
namespace {

using network::Failures;
using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

// By node, of the first lane.
std::vector<network::Edge> edges_of_nodes(const Network& network, const Failures& failed) {
  const std::uint32_t places = places_of_node(network);
  std::vector<network::Edge> result;
  for (const auto& [low, high] : failed.edges) {
    if (low % places == 0 && high % places == 0) result.push_back({low / places, high / places});
  }
  return result;
}

// Whether listed links are those of alike lanes and of whole nodes, or none are listed.
bool has_listed_lanes(const Network& network, const Failures& failed) {
  if (failed.edges.empty()) return true;
  network::NamedNetwork nodes{lane_of(network).network, {}};
  nodes.lacks.edges = edges_of_nodes(network, failed);
  return network::edges_of_places(nodes, places_of_node(network)) == failed.edges;
}

bool lanes_fail_alike(const Network& network, const Failures& failed) {
  if (!has_listed_lanes(network, failed)) return false;
  const std::uint32_t places = places_of_node(network);
  const auto last = static_cast<std::uint32_t>(network.group().rank() - 1);
  for (const auto& [node, port] : failed.links) {
    if (network::axis_of(network, port) == last) return false;
    const Node first = node - node % places;
    for (std::uint32_t k = 0; k < places; ++k) {
      if (std::ranges::find(failed.links, network::Link{first + k, port}) == failed.links.end()) return false;
    }
  }
  return std::ranges::all_of(failed.nodes, [&](Node node) {
    const Node first = node - node % places;
    for (std::uint32_t k = 0; k < places; ++k) {
      if (std::ranges::find(failed.nodes, first + k) == failed.nodes.end()) return false;
    }
    return true;
  });
}

}  // namespace

std::uint32_t places_of_node(const Network& network) {
  return network.group().moduli().back();
}

std::vector<std::vector<Port>> ports_in_node(const Network& network) {
  std::vector<std::vector<Port>> result(places_of_node(network));
  const auto last = static_cast<std::uint32_t>(network.group().rank() - 1);
  for (Port port = 0; port < network.degree(); ++port) {
    if (network::axis_of(network, port) == last)
      result[network.group().coordinate(network.generators()[port], last)].push_back(port);
  }
  return result;
}

Lane lane_of(const Network& network) {
  const auto moduli = network.group().moduli();
  const std::uint32_t places = places_of_node(network);
  std::vector<Node> generators;
  std::vector<Port> ports;
  for (Port port = 0; port < network.degree(); ++port) {
    const Node generator = network.generators()[port];
    if (generator % places != 0) continue;
    generators.push_back(generator / places);
    ports.push_back(port);
  }
  network::Group group({moduli.begin(), moduli.end() - 1});
  return {Network("cayley", std::move(group), std::move(generators)), std::move(ports)};
}

PortModel ports_within(PortModel ports, Port degree) {
  const bool is_all = ports.kind == PortModel::Kind::k_port && ports.k >= degree;
  return is_all ? PortModel::all() : ports;
}

Failures failures_of_nodes(const Network& network, const Failures& failed) {
  const std::uint32_t places = places_of_node(network);
  const std::vector<Port> ports = lane_of(network).ports;
  Failures result;
  result.open_axes = failed.open_axes;
  result.edges = edges_of_nodes(network, failed);
  for (network::EdgeTimes times : failed.edge_times) {
    if (times.edge.low % places != 0) continue;
    times.edge = {times.edge.low / places, times.edge.high / places};
    result.edge_times.push_back(times);
  }
  for (const Node node : failed.nodes) {
    if (node % places == 0) result.nodes.push_back(node / places);
  }
  for (const auto& [node, port] : failed.links) {
    const auto found = std::ranges::find(ports, port);
    if (node % places == 0) result.links.push_back({node / places, static_cast<Port>(found - ports.begin())});
  }
  return result;
}

Failures only_lane(const Network& network, Failures failed, std::uint32_t lane) {
  const std::uint32_t places = places_of_node(network);
  std::erase_if(failed.nodes, [&](Node node) { return node % places != lane; });
  for (Node node = 0; node < network.order(); ++node) {
    if (node % places != lane) failed.nodes.push_back(node);
  }
  std::erase_if(failed.links, [&](const network::Link& link) { return link.node % places != lane; });
  return failed;
}

std::optional<std::string> lacks_lanes(const Network& network, const Failures& failed) {
  const auto moduli = network.group().moduli();
  const std::string_view name = network.name();
  if (moduli.size() < 2 || moduli.back() < 2)
    return fmt::format("it needs a product whose last axis is complete, not {}", name);
  const auto last = static_cast<std::uint32_t>(moduli.size() - 1);
  for (Port port = 0; port < network.degree(); ++port) {
    const bool moves_place = network.group().coordinate(network.generators()[port], last) != 0;
    if (moves_place && network::axis_of(network, port) != last)
      return fmt::format("it needs links within a node or between nodes, and port {} of {} is both", port,
                         name);
  }
  const auto ports = ports_in_node(network);
  const bool is_open = std::ranges::find(failed.open_axes, last) != failed.open_axes.end();
  if (is_open ||
      std::ranges::any_of(ports.begin() + 1, ports.end(), [](const auto& step) { return step.empty(); }))
    return fmt::format("it needs a product whose last axis is complete, not {}", name);
  if (!lanes_fail_alike(network, failed))
    return fmt::format("it needs lanes that are alike: the failures of {} are not", name);
  return std::nullopt;
}

}  // namespace isotrope::algorithm
