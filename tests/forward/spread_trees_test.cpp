// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/spread_trees.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::forward {
namespace {

// The trees of all nodes, made as each node makes its own.
struct AllTrees {
  AllTrees(const std::string& name, bool shortest)
      : named(network::parse_named(name)), network(named.network, named.lacks) {
    for (const Node node : network.nodes()) {
      ports.emplace_back(network, node);
      trees.push_back(shortest ? SpreadTrees::shortest(network, ports.back(), 3)
                               : SpreadTrees::of(network, ports.back()));
    }
  }

  network::NamedNetwork named;
  network::SurvivingNetwork network;
  std::vector<ShortestPorts> ports;
  std::vector<SpreadTrees> trees;
};

// Hops to the farthest node below.
std::uint32_t height_below(const AllTrees& all, Node node, Node origin, std::uint32_t tree) {
  std::uint32_t result = 0;
  for (const SpreadTrees::Branch& child : all.trees[node].children(origin, tree))
    result = std::max(result, 1 + height_below(all, all.ports[node].neighbour(child.lane), origin, tree));
  return result;
}

// From every origin each tree reaches every other node once; children and parents agree.
void expect_trees(const AllTrees& all, bool disjoint) {
  const auto nodes = static_cast<Node>(all.trees.size());
  for (Node origin = 0; origin < nodes; ++origin) {
    std::set<std::pair<Node, SpreadTrees::Lane>> links;
    for (std::uint32_t tree = 0; tree < all.trees[0].count(); ++tree) {
      std::vector<Node> reached{origin};
      std::vector<std::uint32_t> depths{0};
      for (std::size_t i = 0; i < reached.size() && reached.size() <= nodes; ++i) {
        const Node node = reached[i];
        EXPECT_EQ(all.trees[node].depth(origin, tree), depths[i]);
        for (const auto& [lane, left] : all.trees[node].children(origin, tree)) {
          const Node child = all.ports[node].neighbour(lane);
          EXPECT_EQ(all.ports[child].neighbour(all.trees[child].entry(origin, tree)), node);
          EXPECT_GE(left, 1 + height_below(all, child, origin, tree));
          EXPECT_LE(left, all.trees[0].height());
          if (disjoint) {
            EXPECT_TRUE(links.insert({node, lane}).second);
            EXPECT_EQ(left, 1 + height_below(all, child, origin, tree));
          }
          reached.push_back(child);
          depths.push_back(depths[i] + 1);
        }
      }
      EXPECT_LE(depths.back(), all.trees[0].height());
      std::ranges::sort(reached);
      EXPECT_EQ(reached.size(), nodes);
      EXPECT_EQ(std::ranges::adjacent_find(reached), reached.end());
    }
  }
}

TEST(SpreadTrees, DisjointOnesReachAllOverDifferentLinks) {
  for (const std::string name :
       {"ring:5", "torus:4x4", "torus:3x4", "hypercube:3", "hexmesh:3", "circulant:13:1,5"}) {
    const AllTrees all(name, false);
    EXPECT_EQ(all.trees[0].count(), all.named.network.degree());
    expect_trees(all, true);
  }
}

TEST(SpreadTrees, ShortestOnesReachAll) {
  for (const std::string name : {"line:5", "mesh:3x4", "line:4xring:4@2", "torus:4x4", "complete:5"})
    expect_trees(AllTrees(name, true), false);
}

}  // namespace
}  // namespace isotrope::forward
