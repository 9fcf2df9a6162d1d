// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/edge_list.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

void require_edges(Node order, const std::vector<Edge>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge edge = edges[i];
    const auto refuse = [edge](std::string_view why) {
      throw Error(fmt::format("edge {}-{}: {}", edge.low, edge.high, why));
    };
    if (edge.low == edge.high) refuse("it leads from a node to itself; leave it out");
    if (edge.high >= order) refuse(fmt::format("the nodes are 0..{}", order - 1));
    if (i >= largest_rate && edges[i - largest_rate] == edges[i])
      refuse(fmt::format("a rate above {}; give a smaller one", largest_rate));
  }
}

// The distances around the circle between the ends of edges, ascending.
std::vector<Coordinate> steps_of(Node order, const std::vector<Edge>& edges) {
  std::vector<bool> occurs(order / 2 + 1);
  for (const auto [low, high] : edges) occurs[std::min(high - low, order - (high - low))] = true;
  std::vector<Coordinate> steps;
  for (Coordinate step = 1; step < occurs.size(); ++step) {
    if (occurs[step]) steps.push_back(step);
  }
  return steps;
}

// The most edges that are alike.
std::uint32_t largest_rate_of(const std::vector<Edge>& edges) {
  std::size_t most = 1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    while (i >= most && edges[i - most] == edges[i]) ++most;
  }
  return static_cast<std::uint32_t>(most);
}

Network circulant_of(Node order, const std::vector<Edge>& edges) {
  constexpr std::size_t most_steps = 8;
  const std::vector<Coordinate> steps = steps_of(order, edges);
  Network simple = steps.empty() || steps.size() > most_steps ? complete(order) : circulant(order, steps);
  const std::uint32_t rate = largest_rate_of(edges);
  if (rate == 1) return simple;
  const std::vector<std::uint32_t> rates(simple.degree(), rate);
  return with_rates(fmt::format("{}@{}", simple.name(), rate), simple, rates);
}

// A graph with steps that do not generate the group is not connected, and no circulant network either.
void require_connected(Node order, const std::vector<Edge>& edges) {
  if (order == 1) return;
  if (edges.empty())
    throw Error(fmt::format("{} nodes and no link: a network is connected; add links", order));
  Failures only;
  std::ranges::unique_copy(edges, std::back_inserter(only.edges));
  const std::vector<Node> cut_off = SurvivingNetwork(complete(order), only).cut_off(0);
  if (cut_off.empty()) return;
  throw Error(fmt::format(
      "no path leads from node 0 to node {}{}: a network is connected; add links, or leave these "
      "nodes out",
      cut_off.front(), cut_off.size() == 1 ? "" : fmt::format(" and {} more", cut_off.size() - 1)));
}

}  // namespace

NamedNetwork from_edges(Node order, std::vector<Edge> edges) {
  if (order < 1 || order > largest_edge_list_order)
    throw Error(fmt::format("{} nodes: a network that is given by its edges has 1 to {}", order,
                            largest_edge_list_order));
  for (Edge& edge : edges) {
    if (edge.low > edge.high) std::swap(edge.low, edge.high);
  }
  std::ranges::sort(edges);
  require_edges(order, edges);
  require_connected(order, edges);
  NamedNetwork result{circulant_of(order, edges)};
  const bool whole = 2 * edges.size() == result.network.directed_links();
  if (!whole) result.lacks.edges = std::move(edges);
  return result;
}

}  // namespace isotrope::network
