// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/nodes_left.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

NamedNetwork network_left(const NamedNetwork& whole) {
  if (whole.lacks.nodes.empty()) return whole;
  const SurvivingNetwork left(whole.network, whole.lacks);
  const auto number = [&](Node node) {
    return static_cast<Node>(std::ranges::lower_bound(left.nodes(), node) - left.nodes().begin());
  };
  std::vector<Edge> edges;
  for (const Node low : left.nodes()) {
    left.for_each_neighbour(low, [&](Port, Node high) {
      if (low < high) edges.push_back({number(low), number(high)});
    });
  }
  NamedNetwork result = from_edges(static_cast<Node>(left.nodes().size()), std::move(edges));
  for (const auto& [edge, seconds] : whole.lacks.latencies) {
    if (left.alive(edge.low) && left.alive(edge.high))
      result.lacks.latencies.push_back({{number(edge.low), number(edge.high)}, seconds});
  }
  return result;
}

std::vector<Node> numbers_left(std::span<const Node> nodes, std::span<const Node> failed) {
  std::vector<Node> gaps(failed.begin(), failed.end());
  std::ranges::sort(gaps);
  std::vector<Node> result;
  for (const Node node : nodes) {
    const auto before = std::ranges::lower_bound(gaps, node);
    if (before != gaps.end() && *before == node)
      throw Error(fmt::format("node {} of a rank has failed: give nodes that are left", node));
    result.push_back(node - static_cast<Node>(before - gaps.begin()));
  }
  return result;
}

}  // namespace isotrope::network
