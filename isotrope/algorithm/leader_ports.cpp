// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/leader_ports.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "isotrope/algorithm/lanes.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

LeaderPorts ports_of_links(const Network& network, const Network& joined) {
  const auto [nodes, lane_ports] = lane_of(network);
  LeaderPorts result;
  for (Port port = 0; port < joined.degree(); ++port) {
    const Node offset = joined.generators()[port];
    Port link = port;
    if (link >= nodes.degree() || nodes.generators()[link] != offset)
      link = static_cast<Port>(std::ranges::find(nodes.generators(), offset) - nodes.generators().begin());
    result.between.push_back(lane_ports[link]);
  }
  for (const auto& step : ports_in_node(network)) result.within.push_back(step.empty() ? 0 : step.front());
  return result;
}

Network overlay_of_lanes(const Network& network, const Network& joined) {
  const std::uint32_t places = places_of_node(network);
  std::vector<Node> generators;
  for (const Node offset : joined.generators()) generators.push_back(offset * places);
  for (std::uint32_t step = 1; step < places; ++step) generators.push_back(step);
  std::vector<network::Coordinate> moduli(joined.group().moduli().begin(), joined.group().moduli().end());
  moduli.push_back(places);
  return {"cayley", network::Group(std::move(moduli)), std::move(generators)};
}

LeaderPorts ports_of_overlay(const Network& network, const Network& joined) {
  LeaderPorts result{std::vector<Port>(joined.degree()), {0}};
  std::iota(result.between.begin(), result.between.end(), 0);
  for (std::uint32_t step = 1; step < places_of_node(network); ++step)
    result.within.push_back(static_cast<Port>(joined.degree() + step - 1));
  return result;
}

}  // namespace isotrope::algorithm
