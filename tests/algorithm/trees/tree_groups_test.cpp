// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/tree_groups.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/algorithm/trees/disjoint_trees.hpp"

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

// Both ways round: nodes 1 to 4 at depths 1 to 4 in tree 0 and 4 to 1 in tree 1.
TEST(TreeGroups, of_a_ring_are_both_ways_together) {
  const std::vector<std::uint32_t> depths = {0, 0, 1, 4, 2, 3, 3, 2, 4, 1};
  const std::vector<Node> parents = {0, 0, 0, 2, 1, 3, 2, 4, 3, 0};
  EXPECT_EQ(group_levels(depths, parents, 2),
            (std::vector<GroupLevel>{{4, false, {{0}, {1}}}, {2, false, {{0, 1}}}}));
}

// Tree 0 is 0 -> 1 -> 2 -> 3 -> 4 and tree 1 is 0 -> 2 -> 4 -> 1 -> 3. Node 4 takes packets from tree 1 after 2 rounds; node 3 from
// tree 0 after 3, from node 2, which has them after the first.
TEST(TreeGroups, wait_where_a_parent_has_packets_early) {
  const std::vector<std::uint32_t> depths = {0, 0, 1, 3, 2, 1, 3, 4, 4, 2};
  const std::vector<Node> parents = {0, 0, 0, 4, 1, 0, 2, 1, 3, 2};
  EXPECT_EQ(group_levels(depths, parents, 2),
            (std::vector<GroupLevel>{{4, false, {{0}, {1}}}, {3, true, {{0, 1}}}}));
}

std::uint32_t height_of(const DisjointTrees& trees, Node nodes, const std::vector<Port>& group) {
  std::uint32_t height = 0;
  for (Node node = 1; node < nodes; ++node) {
    std::uint32_t depth = UINT32_MAX;
    for (const Port tree : group) depth = std::min(depth, trees.depth(node, tree));
    height = std::max(height, depth);
  }
  return height;
}

TEST(TreeGroups, have_no_tree_in_common_and_the_height_they_claim) {
  for (const char* name :
       {"ring:2", "ring:9", "hypercube:5", "torus:3x5", "torus:8x8", "torus:3x20", "torus:2x3x4", "hexmesh:3",
        "hexmesh:5", "complete:6", "twisted-torus:4x4x8", "circulant:29:1,5,12", "circulant:30:1,6,11,13"}) {
    const Network network = network::parse(name);
    const DisjointTrees trees = DisjointTrees::find(network).value();
    ASSERT_FALSE(trees.levels().empty()) << name;
    EXPECT_EQ(trees.levels().front().groups.size(), trees.count()) << name;
    for (std::size_t i = 0; i < trees.levels().size(); ++i) {
      const GroupLevel& level = trees.levels()[i];
      std::set<Port> used;
      std::uint32_t height = 0;
      for (const std::vector<Port>& group : level.groups) {
        for (const Port tree : group) EXPECT_TRUE(used.insert(tree).second) << name;
        height = std::max(height, height_of(trees, network.order(), group));
      }
      EXPECT_EQ(height, level.height) << name;
      if (i == 0) continue;
      EXPECT_LT(level.height, trees.levels()[i - 1].height) << name;
      EXPECT_LT(level.groups.size(), trees.levels()[i - 1].groups.size()) << name;
    }
  }
}

// All subsets of the trees.
TEST(TreeGroups, miss_no_lower_height_than_that_of_all_trees_together) {
  for (const char* name :
       {"ring:9", "hypercube:4", "torus:3x5", "torus:5x5", "hexmesh:3", "circulant:13:1,5"}) {
    const Network network = network::parse(name);
    const DisjointTrees trees = DisjointTrees::find(network).value();
    std::uint32_t least = UINT32_MAX;
    for (std::uint32_t subset = 1; subset < 1U << trees.count(); ++subset) {
      std::vector<Port> group;
      for (Port tree = 0; tree < trees.count(); ++tree) {
        if ((subset >> tree & 1U) != 0) group.push_back(tree);
      }
      least = std::min(least, height_of(trees, network.order(), group));
    }
    EXPECT_EQ(trees.levels().back().height, least) << name;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
