// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/arc_orbits.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

// The arc into a node from another one, over this port of the sender. Nodes of the graph are those of the network unless
// some have failed, and then the identity is the only symmetry, which keeps their numbers.
std::uint32_t arc_into(const ArcGraph& graph, std::uint32_t node, std::uint32_t from, network::Port port) {
  std::uint32_t arc = graph.first_into(node);
  while (graph[arc].from != from || graph[arc].port != port) ++arc;
  return arc;
}

}  // namespace

ArcOrbits::ArcOrbits(const network::SurvivingNetwork& network, const ArcGraph& graph,
                     schedule::SymmetryAxes axes)
    : axes_(axes), symmetries_(network.whole(), axes), to_(graph.arcs(), 0), place_(graph.arcs(), 0) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (symmetries_.first(node) == node) nodes_.push_back(node);
  }
  for (const std::uint32_t node : nodes_) {
    for (std::uint32_t arc = graph.first_into(node); arc < graph.first_into(node + 1); ++arc) {
      const auto place = static_cast<std::uint32_t>(images_.size() / size());
      for (std::uint32_t i = 0; i < size(); ++i) {
        const std::uint32_t image =
            arc_into(graph, symmetries_.image(i, node), symmetries_.image(i, graph[arc].from),
                     symmetries_.image_of_port(i, graph[arc].port));
        to_[image] = i;
        place_[image] = place;
        images_.push_back(image);
      }
    }
  }
}

}  // namespace isotrope::algorithm
