// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/served_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "isotrope/network/rates.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;

// How many links lie side by side, and the nodes.
struct SideBySide {
  std::uint32_t links;
  Node from, to;
};

std::vector<SideBySide> links_side_by_side(const SurvivingNetwork& network) {
  std::vector<SideBySide> result;
  std::vector<Node> neighbours;
  for (const Node node : network.nodes()) {
    neighbours.clear();
    network.for_each_neighbour(node, [&](Port, Node neighbour) { neighbours.push_back(neighbour); });
    std::ranges::sort(neighbours);
    const std::size_t before = result.size();
    for (const Node neighbour : neighbours) {
      if (result.size() == before || result.back().to != neighbour) result.push_back({0, node, neighbour});
      ++result.back().links;
    }
  }
  return result;
}

// The smallest node of those that links faster than the slowest join with each node.
std::vector<Node> joined_by_fast_links(const SurvivingNetwork& network) {
  std::vector<Node> result(network.whole().order());
  std::iota(result.begin(), result.end(), Node{0});
  if (!network::has_copies(network.whole())) return result;
  const auto smallest = [&](Node node) {
    while (result[node] != node) node = result[node] = result[result[node]];
    return node;
  };
  const std::vector<SideBySide> all = links_side_by_side(network);
  if (all.empty()) return result;
  const std::uint32_t slowest = std::ranges::min(all, {}, &SideBySide::links).links;
  for (const SideBySide& each : all) {
    const Node a = smallest(each.from), b = smallest(each.to);
    if (each.links > slowest) result[std::max(a, b)] = std::min(a, b);
  }
  for (Node node = 0; node < result.size(); ++node) result[node] = smallest(node);
  return result;
}

}  // namespace

std::vector<std::vector<Node>> served_nodes(const SurvivingNetwork& network) {
  const std::vector<Node> joined = joined_by_fast_links(network);
  std::vector<std::vector<Node>> members(joined.size()), result(joined.size());
  for (const Node node : network.nodes()) members[joined[node]].push_back(node);
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port, Node neighbour) { result[node].push_back(neighbour); });
    if (members[joined[node]].size() == 1) continue;
    result[node].insert(result[node].end(), members[joined[node]].begin(), members[joined[node]].end());
    std::ranges::sort(result[node]);
    result[node].erase(std::unique(result[node].begin(), result[node].end()), result[node].end());
    std::erase(result[node], node);
  }
  return result;
}

}  // namespace isotrope::algorithm
