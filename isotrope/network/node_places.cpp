// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/node_places.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"
#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/product.hpp"
#include "isotrope/network/rates.hpp"

namespace isotrope::network {
namespace {

// Whether all links along one axis have one rate.
bool has_alike_axes(const Network& network) {
  const std::vector<std::uint32_t> rates = port_rates(network);
  std::map<std::optional<std::uint32_t>, std::uint32_t> rate_of_axis;
  for (Port port = 0; port < network.degree(); ++port) {
    if (rate_of_axis.try_emplace(axis_of(network, port), rates[port]).first->second != rates[port])
      return false;
  }
  return true;
}

std::vector<Edge> all_edges(const Network& network) {
  std::vector<Edge> result;
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      if (const Node other = network.neighbour(node, port); node < other) result.push_back({node, other});
    }
  }
  std::ranges::sort(result);
  return result;
}

NamedNetwork with_listed_links(const NamedNetwork& nodes) {
  NamedNetwork result = nodes;
  const bool is_listed = !nodes.lacks.edges.empty();
  if (!is_listed && (!nodes.lacks.edge_times.empty() || !has_alike_axes(nodes.network)))
    result.lacks.edges = all_edges(nodes.network);
  return result;
}

Failures lacks_of_places(const NamedNetwork& nodes, std::uint32_t lanes) {
  Failures result({}, {}, nodes.lacks.open_axes);
  for (std::uint32_t k = 0; k < lanes; ++k) {
    for (const auto& [node, port] : nodes.lacks.links) result.links.push_back({node * lanes + k, port});
    for (EdgeTimes times : nodes.lacks.edge_times) {
      times.edge = {times.edge.low * lanes + k, times.edge.high * lanes + k};
      result.edge_times.push_back(times);
    }
  }
  for (const Node node : nodes.lacks.nodes) {
    for (std::uint32_t k = 0; k < lanes; ++k) result.nodes.push_back(node * lanes + k);
  }
  std::ranges::sort(result.edge_times, {}, &EdgeTimes::edge);
  if (!nodes.lacks.edges.empty()) result.edges = edges_of_places(nodes, lanes);
  return result;
}

}  // namespace

std::vector<Edge> edges_of_places(const NamedNetwork& nodes, std::uint32_t ranks_per_node) {
  const std::uint32_t lanes = ranks_per_node;
  std::vector<Edge> result;
  for (const auto& [low, high] : nodes.lacks.edges) {
    for (std::uint32_t k = 0; k < lanes; ++k) result.push_back({low * lanes + k, high * lanes + k});
  }
  for (Node node = 0; node < nodes.network.order(); ++node) {
    for (Node low = node * lanes; low < (node + 1) * lanes; ++low) {
      for (Node high = low + 1; high < (node + 1) * lanes; ++high) result.push_back({low, high});
    }
  }
  std::ranges::sort(result);
  return result;
}

NamedNetwork network_of_places(const NamedNetwork& nodes, std::uint32_t ranks_per_node) {
  if (ranks_per_node == 1) return nodes;
  const Network memory = complete(ranks_per_node);
  std::string name = fmt::format("{}x{}", nodes.network.name(), memory.name());
  return {product(std::move(name), {nodes.network, memory}),
          lacks_of_places(with_listed_links(nodes), ranks_per_node)};
}

RankMap places_of_ranks(std::span<const Node> nodes, std::uint32_t ranks_per_node) {
  const std::size_t count = nodes.size() / ranks_per_node;
  std::vector<std::uint32_t> taken(count, 0);  // by node
  std::vector<Node> places;
  for (const Node node : nodes) {
    if (node >= count || taken[node] == ranks_per_node || nodes.size() % ranks_per_node != 0)
      throw Error(fmt::format("node {} of a rank: {} ranks, {} in each node, need every node 0..{} {} times",
                              node, nodes.size(), ranks_per_node, count == 0 ? 0 : count - 1,
                              ranks_per_node));
    places.push_back(node * ranks_per_node + taken[node]++);
  }
  return std::ranges::is_sorted(places) ? RankMap() : RankMap(std::move(places));
}

std::uint32_t HostNodes::ranks_per_node() const {
  const bool alike = std::ranges::all_of(ranks, [&](std::uint32_t count) { return count == ranks.front(); });
  return alike && !ranks.empty() ? ranks.front() : 0;
}

HostNodes nodes_of_hosts(std::span<const std::uint32_t> hosts) {
  HostNodes result;
  std::unordered_map<std::uint32_t, Node> node_of;
  for (const std::uint32_t host : hosts) {
    const auto [found, is_new] = node_of.try_emplace(host, static_cast<Node>(node_of.size()));
    if (is_new) result.ranks.push_back(0);
    ++result.ranks[found->second];
    result.nodes.push_back(found->second);
  }
  return result;
}

}  // namespace isotrope::network
