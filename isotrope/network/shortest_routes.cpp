// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/shortest_routes.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/multinomial.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/torus_axes.hpp"

namespace isotrope::network {
namespace {

using boost::multiprecision::cpp_int;

void require_nodes(const Network& network, Node from, Node to) {
  for (const Node node : {from, to}) {
    if (node < network.order()) continue;
    throw Error(fmt::format("route from {} to {}: the nodes of {} are 0..{}", from, to, network.name(),
                            network.order() - 1));
  }
}

std::string count_on_torus(const Network& network, const std::vector<TorusAxis>& axes, Node relative) {
  std::vector<std::uint32_t> hops;
  std::uint32_t half_way = 0;
  for (const TorusAxis& axis : axes) {
    const Coordinate ahead = network.group().coordinate(relative, axis.coordinate);
    hops.push_back(std::min(ahead, axis.extent - ahead));
    if (axis.extent > 2 && 2 * ahead == axis.extent) ++half_way;
  }
  return multinomial(hops, half_way);
}

// From node 0 outwards, over hops that lead closer to the destination: what routes reach the nodes of a level.
std::string count_by_levels(const Network& network, Node relative) {
  std::unordered_map<Node, cpp_int> level{{0, 1}};
  for (std::uint32_t left = network.distance(0, relative); left > 0; --left) {
    std::unordered_map<Node, cpp_int> next;
    for (const auto& [node, routes] : level) {
      for (Port port = 0; port < network.degree(); ++port) {
        const Node neighbour = network.neighbour(node, port);
        if (network.distance(neighbour, relative) == left - 1) next[neighbour] += routes;
      }
    }
    level = std::move(next);
  }
  return level.at(relative).str();
}

}  // namespace

std::vector<Port> shortest_route(const Network& network, Node from, Node to) {
  require_nodes(network, from, to);
  std::vector<Port> route;
  std::uint32_t left = network.distance(from, to);
  route.reserve(left);
  // Hops commute, so a port that leads no closer now will not do so later.
  for (Port port = 0; left > 0;) {
    const Node next = network.neighbour(from, port);
    if (network.distance(next, to) < left) {
      route.push_back(port);
      from = next;
      --left;
    } else {
      ++port;
    }
  }
  return route;
}

std::optional<std::vector<Port>> shortest_route(const SurvivingNetwork& network, Node from, Node to) {
  require_nodes(network.whole(), from, to);
  for (const Node node : {from, to}) {
    if (!network.alive(node))
      throw Error(
          fmt::format("route from {} to {}: node {} has failed; name nodes that are left", from, to, node));
  }
  const std::vector<std::uint32_t> distance = network.distances(to);  // links carry both ways
  if (distance[from] == unreachable) return std::nullopt;
  std::vector<Port> route;
  route.reserve(distance[from]);
  while (from != to) {
    Port port = 0;
    while (!network.carries(from, port) || distance[network.whole().neighbour(from, port)] >= distance[from])
      ++port;
    route.push_back(port);
    from = network.whole().neighbour(from, port);
  }
  return route;
}

std::vector<std::uint32_t> hops_per_port(const Network& network, std::span<const Port> route) {
  std::vector<std::uint32_t> hops(network.degree(), 0);
  for (const Port port : route) ++hops[port];
  return hops;
}

std::vector<Node> nodes_along(const Network& network, Node from, std::span<const Port> route) {
  std::vector<Node> nodes{from};
  nodes.reserve(route.size() + 1);
  for (const Port port : route) nodes.push_back(network.neighbour(nodes.back(), port));
  return nodes;
}

std::string count_shortest_routes(const Network& network, Node from, Node to) {
  require_nodes(network, from, to);
  if (has_copies(network)) return count_shortest_routes(without_copies(network).network, from, to);
  const Node relative = network.group().subtract(to, from);
  if (const auto axes = torus_axes(network)) return count_on_torus(network, *axes, relative);
  if (const auto size = hexmesh_size(network)) return HexmeshRouting(*size).record(relative).paths();
  return count_by_levels(network, relative);
}

}  // namespace isotrope::network
