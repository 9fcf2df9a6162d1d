// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/two_colours.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace isotrope::bound {
namespace {

// By node, the parity of its distance from the first one, if no link joins two nodes of one parity.
std::optional<std::vector<std::uint8_t>> colours(const SurvivingNetwork& network) {
  const std::vector<std::uint32_t> distances = network.distances(network.nodes().front());
  std::vector<std::uint8_t> result(distances.size(), 0);
  for (const Node node : network.nodes()) result[node] = static_cast<std::uint8_t>(distances[node] % 2);
  bool proper = true;
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(
        node, [&](Port, Node neighbour) { proper = proper && result[node] != result[neighbour]; });
  }
  if (!proper) return std::nullopt;
  return result;
}

}  // namespace

std::optional<Bound> two_colours_bound(const GraphView& view) {
  const auto colour = colours(view.survivors());
  if (!colour) return std::nullopt;
  std::array<std::uint64_t, 2> nodes{}, ports{};
  for (const Node node : view.survivors().nodes()) {
    ++nodes[(*colour)[node]];
    ports[(*colour)[node]] += view.usable_ports(node);
  }
  const std::uint64_t most = std::max(nodes[0], nodes[1]), others = view.node_count() - 1;
  const bool reduces = view.traffic() == Traffic::reduced, both_ways = reduces || view.half_duplex();
  const std::uint64_t packets =
      reduces ? 2 * others * view.parts() : (both_ways ? view.node_count() : most) * others * view.parts();
  const std::uint64_t messages = std::min(ports[0], ports[1]) * (both_ways && !view.half_duplex() ? 2 : 1);
  const std::uint64_t room = view.room_over(messages), value = ceil_div(packets, room);
  return Bound{"cut", value,
               fmt::format("links join {} nodes to the {} others and no two of either, and {} packets must "
                           "go {}, at most {} a "
                           "round: ceil({}/{}) = {}",
                           most, view.node_count() - most, packets, both_ways ? "over them" : "to the former",
                           room, packets, room, value)};
}

}  // namespace isotrope::bound
