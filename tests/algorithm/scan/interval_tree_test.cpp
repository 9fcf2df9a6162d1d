// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/interval_tree.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Failures;
using network::Node;
using network::SurvivingNetwork;
using Branch = IntervalTree::Branch;

SurvivingNetwork network_of(const char* name, std::vector<Node> failed = {}) {
  auto [network, lacks] = network::parse_named(name);
  lacks.nodes = std::move(failed);
  return {std::move(network), std::move(lacks)};
}

IntervalTree tree_of(const SurvivingNetwork& network, IntervalShape shape, std::uint32_t root) {
  network::DistanceRows rows(network);
  return interval_tree(network, shape, root, LinkLoads(network), rows);
}

// The run of a branch is its own place and the runs of its children, without a gap, and ways lead to the children.
void expect_runs(const SurvivingNetwork& network, const IntervalTree& tree) {
  const std::vector<Branch>& branches = tree.branches;
  ASSERT_EQ(branches.size(), network.nodes().size());
  std::vector<std::vector<std::uint32_t>> places(branches.size());
  for (std::size_t i = branches.size(); i-- > 0;) {
    places[i].push_back(branches[i].place);
    std::ranges::sort(places[i]);
    std::vector<std::uint32_t> run(branches[i].high - branches[i].low + 1);
    std::iota(run.begin(), run.end(), branches[i].low);
    EXPECT_EQ(places[i], run) << "branch " << i;
    if (i == 0) continue;
    auto& above = places[branches[i].parent];
    ASSERT_LT(branches[i].parent, i);
    above.insert(above.end(), places[i].begin(), places[i].end());
    Node at = network.nodes()[branches[branches[i].parent].place];
    for (const network::Link& link : branches[i].way) {
      EXPECT_EQ(link.node, at);
      EXPECT_TRUE(network.carries(link.node, link.port));
      at = network.whole().neighbour(link.node, link.port);
    }
    EXPECT_EQ(at, network.nodes()[branches[i].place]);
  }
}

constexpr IntervalShape shapes[] = {IntervalShape::spread, IntervalShape::halving, IntervalShape::path};

TEST(IntervalTree, has_runs_below_every_node) {
  for (const char* name :
       {"line:1", "line:2", "line:7", "ring:6", "mesh:3x4", "torus:4x4", "line:4xring:8", "hypercube:4",
        "hexmesh:3", "complete:6", "circulant:23:4,5,7", "twisted-torus:2x4x4", "torus:3x3@2,1"}) {
    SCOPED_TRACE(name);
    const SurvivingNetwork network = network_of(name);
    for (const IntervalShape shape : shapes) {
      for (std::uint32_t root = 0; root < network.nodes().size(); ++root)
        expect_runs(network, tree_of(network, shape, root));
    }
  }
}

TEST(IntervalTree, goes_around_failures) {
  const SurvivingNetwork network = network_of("torus:4x4", {0, 6, 13});
  for (const IntervalShape shape : shapes) {
    for (std::uint32_t root = 0; root < 13; ++root) expect_runs(network, tree_of(network, shape, root));
  }
}

// Row 1 and column 1 of the picture in the header.
TEST(IntervalTree, follows_rows_from_a_column) {
  const SurvivingNetwork network = network_of("mesh:3x3");
  for (const Branch& branch : tree_of(network, IntervalShape::spread, 4).branches) {
    if (branch.place == 1) {
      EXPECT_EQ(branch.low, 0U);
      EXPECT_EQ(branch.high, 2U);
    }
    if (branch.place == 5) {
      EXPECT_EQ(branch.low, 5U);
      EXPECT_EQ(branch.high, 5U);
    }
  }
}

TEST(IntervalTree, takes_shortest_ways_on_products_of_lines_and_rings) {
  for (const char* name : {"line:9", "mesh:4x5", "mesh:3x4x3", "ring:8", "torus:4x6", "line:3xring:5"}) {
    const SurvivingNetwork network = network_of(name);
    for (std::uint32_t root : {0U, static_cast<std::uint32_t>(network.nodes().size() / 2)}) {
      const IntervalTree tree = tree_of(network, IntervalShape::spread, root);
      std::uint32_t highest = 0;
      std::vector<std::uint32_t> height(tree.branches.size(), 0);
      for (std::size_t i = 1; i < height.size(); ++i) {
        height[i] = height[tree.branches[i].parent] + static_cast<std::uint32_t>(tree.branches[i].way.size());
        highest = std::max(highest, height[i]);
      }
      const auto distances = network.distances(network.nodes()[root]);
      if (root == 0 || std::string(name).find("ring") == std::string::npos) {
        EXPECT_LE(highest, *std::ranges::max_element(distances)) << name << ", root " << root;
      }
    }
  }
}

// Three ways of three hops lead from node 3 to node 2 of mesh:2x3, and two begin or go on over a loaded link.
TEST(IntervalTree, leads_ways_around_loaded_links) {
  const SurvivingNetwork network = network_of("mesh:2x3");
  LinkLoads loads(network);
  for (int i = 0; i < 3; ++i) loads.add({3, 0});
  loads.add({4, 1});
  EXPECT_EQ(loads.largest(), 3U);
  EXPECT_EQ(loads.sum_of_squares(), 10U);
  EXPECT_EQ(loads.both_ways(0, 0), 3U);
  network::DistanceRows rows(network);
  const IntervalTree path = interval_tree(network, IntervalShape::path, 0, loads, rows);
  expect_runs(network, path);
  ASSERT_EQ(path.branches[3].place, 2U);
  EXPECT_EQ(path.branches[3].way, (std::vector<network::Link>{{3, 1}, {4, 0}, {1, 1}}));
}

}  // namespace
}  // namespace isotrope::algorithm
