// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/spread_trees.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/algorithm/trees/disjoint_trees.hpp"

namespace isotrope::forward {
namespace {

using algorithm::DisjointTrees;
using network::Network;
using network::SurvivingNetwork;

// The neighbour from which the node of `ports` takes a tree of `origin`, which is another node.
Node parent_in(const ShortestPorts& ports, Node origin, std::uint32_t tree) {
  const auto closer = ports.towards(origin);
  SplitMix random((std::uint64_t{origin} << 32 | ports.node()) + std::uint64_t{tree} * 0x632be59bd9b4e019U);
  return ports.neighbour(closer[random.below(static_cast<std::uint32_t>(closer.size()))]);
}

// Hops from each node to the farthest node below it, by node, then tree. Every node lifts those above it until one is as high.
std::vector<std::uint16_t> heights_below(const Network& network, const DisjointTrees& trees) {
  std::vector<std::uint16_t> result(std::size_t{network.order()} * trees.count(), 0);
  for (Port tree = 0; tree < trees.count(); ++tree) {
    for (Node node = 1; node < network.order(); ++node) {
      Node at = node;
      for (std::uint16_t below = 1; at != 0; ++below) {
        at = network.neighbour(at, network.opposite(trees.port(at, tree)));
        std::uint16_t& known = result[std::size_t{at} * trees.count() + tree];
        if (known >= below) break;
        known = below;
      }
    }
  }
  return result;
}

}  // namespace

void SpreadTrees::add(Place place, std::span<const Branch> children) {
  places_.push_back(place);
  children_.insert(children_.end(), children.begin(), children.end());
  first_.push_back(static_cast<std::uint32_t>(children_.size()));
}

SpreadTrees SpreadTrees::of(const SurvivingNetwork& network, const ShortestPorts& ports) {
  constexpr std::uint32_t shares = 4;
  if (auto trees = disjoint(network, ports)) return *std::move(trees);
  return shortest(network, ports, shares);
}

std::optional<SpreadTrees> SpreadTrees::disjoint(const SurvivingNetwork& network,
                                                 const ShortestPorts& ports) {
  if (!network.failures().empty()) return std::nullopt;
  const Network& whole = network.whole();
  const auto found = DisjointTrees::kept(whole);
  if (!found) return std::nullopt;
  const DisjointTrees& trees = *found;
  std::uint32_t height = 0;
  for (Port tree = 0; tree < trees.count(); ++tree) height = std::max(height, trees.height(tree));
  const std::vector<std::uint16_t> below = heights_below(whole, trees);
  SpreadTrees result(trees.count(), height);
  std::vector<Branch> children;
  for (Node origin = 0; origin < whole.order(); ++origin) {
    const Node place = whole.group().subtract(ports.node(), origin);  // of the node, from the origin
    for (Port tree = 0; tree < trees.count(); ++tree) {
      children.clear();
      for (Port port = 0; port < whole.degree(); ++port) {
        const Node child = whole.neighbour(place, port);
        if (child == 0 || trees.port(child, tree) != port) continue;
        const std::uint16_t beyond = below[std::size_t{child} * trees.count() + tree];
        children.push_back({ports.lane_of(port), static_cast<std::uint16_t>(beyond + 1)});
      }
      const Lane entry = place == 0 ? Lane{0} : ports.lane_of(whole.opposite(trees.port(place, tree)));
      result.add({entry, static_cast<std::uint16_t>(trees.depth(place, tree))}, children);
    }
  }
  return result;
}

SpreadTrees SpreadTrees::shortest(const SurvivingNetwork& network, const ShortestPorts& ports,
                                  std::uint32_t count) {
  std::vector<ShortestPorts> neighbours;
  for (std::size_t lane = 0; lane < ports.lanes(); ++lane)
    neighbours.emplace_back(network, ports.neighbour(lane));
  SpreadTrees result(count, distances_of(network).largest);
  std::vector<Branch> children;
  for (Node origin = 0; origin < network.whole().order(); ++origin) {
    const auto depth = static_cast<std::uint16_t>(origin == ports.node() ? 0 : ports.distance(origin));
    const auto left = static_cast<std::uint16_t>(std::max(result.height(), depth + 1U) - depth);
    for (std::uint32_t tree = 0; tree < count; ++tree) {
      children.clear();
      Lane entry = 0;
      const bool is_origin = origin == ports.node();
      const Node parent = is_origin ? origin : parent_in(ports, origin, tree);
      for (std::size_t lane = 0; lane < ports.lanes(); ++lane) {
        const Node neighbour = ports.neighbour(lane);
        if (neighbour == parent) entry = static_cast<Lane>(lane);
        if (neighbour != origin && parent_in(neighbours[lane], origin, tree) == ports.node())
          children.push_back({static_cast<Lane>(lane), left});
      }
      result.add({entry, depth}, children);
    }
  }
  return result;
}

}  // namespace isotrope::forward
