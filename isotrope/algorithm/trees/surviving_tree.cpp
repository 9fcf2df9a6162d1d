// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/surviving_tree.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;

using Children = std::vector<std::vector<Port>>;  // ports, by node

// The reachable survivors by distance, the root first.
std::vector<Node> by_distance(const SurvivingNetwork& network, const std::vector<std::uint32_t>& distance) {
  std::vector<Node> order;
  std::copy_if(network.nodes().begin(), network.nodes().end(), std::back_inserter(order),
               [&](Node node) { return distance[node] != network::unreachable; });
  std::stable_sort(order.begin(), order.end(), [&](Node a, Node b) { return distance[a] < distance[b]; });
  return order;
}

void hang_below_a_parent(const SurvivingNetwork& network, const std::vector<std::uint32_t>& distance,
                         Node node, Children& children) {
  Node parent = node;
  Port back = 0;
  network.for_each_neighbour(node, [&](Port port, Node neighbour) {
    if (distance[neighbour] + 1 != distance[node]) return;
    if (parent != node && children[neighbour].size() >= children[parent].size()) return;
    parent = neighbour;
    back = port;
  });
  if (parent != node) children[parent].push_back(network.whole().opposite(back));
}

}  // namespace

ChildPorts surviving_tree(const SurvivingNetwork& network, Node root) {
  const std::vector<std::uint32_t> distance = network.distances(root);
  const std::vector<Node> order = by_distance(network, distance);
  const auto children = std::make_shared<Children>(network.whole().order());
  for (const Node node : order) hang_below_a_parent(network, distance, node, *children);
  std::vector<std::uint32_t> height(network.whole().order(), 0);
  for (std::size_t i = order.size(); i-- > 0;) {
    std::vector<Port>& ports = (*children)[order[i]];
    const auto height_below = [&](Port port) { return height[network.whole().neighbour(order[i], port)]; };
    std::stable_sort(ports.begin(), ports.end(),
                     [&](Port a, Port b) { return height_below(a) > height_below(b); });
    if (!ports.empty()) height[order[i]] = height_below(ports.front()) + 1;
  }
  return [children](Node node) { return (*children)[node]; };
}

}  // namespace isotrope::algorithm
