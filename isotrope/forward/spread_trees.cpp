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

}  // namespace

void SpreadTrees::add(Lane entry, std::span<const Lane> children) {
  entries_.push_back(entry);
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
  SpreadTrees result(trees.count(), height);
  std::vector<Lane> children;
  for (Node origin = 0; origin < whole.order(); ++origin) {
    const Node place = whole.group().subtract(ports.node(), origin);  // of the node, from the origin
    for (Port tree = 0; tree < trees.count(); ++tree) {
      children.clear();
      for (Port port = 0; port < whole.degree(); ++port) {
        const Node child = whole.neighbour(place, port);
        if (child != 0 && trees.port(child, tree) == port) children.push_back(ports.lane_of(port));
      }
      result.add(place == 0 ? Lane{0} : ports.lane_of(whole.opposite(trees.port(place, tree))), children);
    }
  }
  return result;
}

SpreadTrees SpreadTrees::shortest(const SurvivingNetwork& network, const ShortestPorts& ports,
                                  std::uint32_t count) {
  std::vector<ShortestPorts> neighbours;
  for (std::size_t lane = 0; lane < ports.lanes(); ++lane)
    neighbours.emplace_back(network, ports.neighbour(lane));
  SpreadTrees result(count, diameter_of(network));
  std::vector<Lane> children;
  for (Node origin = 0; origin < network.whole().order(); ++origin) {
    for (std::uint32_t tree = 0; tree < count; ++tree) {
      children.clear();
      Lane entry = 0;
      const bool is_origin = origin == ports.node();
      const Node parent = is_origin ? origin : parent_in(ports, origin, tree);
      for (std::size_t lane = 0; lane < ports.lanes(); ++lane) {
        const Node neighbour = ports.neighbour(lane);
        if (neighbour == parent) entry = static_cast<Lane>(lane);
        if (neighbour != origin && parent_in(neighbours[lane], origin, tree) == ports.node())
          children.push_back(static_cast<Lane>(lane));
      }
      result.add(entry, children);
    }
  }
  return result;
}

}  // namespace isotrope::forward
