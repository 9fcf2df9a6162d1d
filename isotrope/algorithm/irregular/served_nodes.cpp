// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/served_nodes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;

// The smallest node of those that links faster than the slowest join with each node.
std::vector<Node> joined_by_fast_links(const SurvivingNetwork& network) {
  std::vector<Node> result(network.whole().order());
  std::iota(result.begin(), result.end(), Node{0});
  const auto root_of = [&](Node node) {
    while (result[node] != node) node = result[node];
    return node;
  };
  std::vector<std::array<Node, 3>> links;  // how many lie side by side, and the nodes
  for (const Node node : network.nodes()) {
    const std::size_t before = links.size();
    network.for_each_neighbour(node, [&](Port, Node neighbour) {
      const auto known = std::find_if(links.begin() + static_cast<std::ptrdiff_t>(before), links.end(),
                                      [&](const auto& link) { return link[2] == neighbour; });
      if (known == links.end()) {
        links.push_back({1, node, neighbour});
      } else {
        ++(*known)[0];
      }
    });
  }
  const Node slowest = links.empty() ? 0 : (*std::ranges::min_element(links))[0];
  for (const auto& [rate, node, neighbour] : links) {
    const Node a = root_of(node), b = root_of(neighbour);
    if (rate > slowest) result[std::max(a, b)] = std::min(a, b);
  }
  for (Node& node : result) node = root_of(node);
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
    result[node].erase(std::ranges::unique(result[node]).begin(), result[node].end());
    std::erase(result[node], node);
  }
  return result;
}

}  // namespace isotrope::algorithm
