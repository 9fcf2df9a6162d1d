// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/nodes_left.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

void require_connected(const NamedNetwork& network) {
  if (!network.lacks.any_failed()) return;
  const SurvivingNetwork left(network.network, network.lacks);
  const Node first = left.nodes().front();
  const std::vector<Node> lost = left.cut_off(first);
  if (lost.empty()) return;
  constexpr std::size_t most_shown = 8;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(lost.size(), most_shown));
  throw Error(fmt::format(
      "the failures cut node{} {}{} off from node {} of {}: count these among the failed nodes, or those "
      "that reach them",
      lost.size() == 1 ? "" : "s", fmt::join(lost.begin(), lost.begin() + shown, ","),
      lost.size() > most_shown ? ",..." : "", first, network.network.name()));
}

NamedNetwork network_left(const NamedNetwork& whole) {
  require_connected(whole);
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
  for (EdgeTimes times : whole.lacks.edge_times) {
    if (!left.alive(times.edge.low) || !left.alive(times.edge.high)) continue;
    times.edge = {number(times.edge.low), number(times.edge.high)};
    result.lacks.edge_times.push_back(times);
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
