// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/rooted_tree.hpp"

#include <set>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

// Root 0 with children 1 (below it 3, 5 and below 3 node 7), 2 (below it 6) and 4.
TEST(RootedTree, numbers_the_binomial_tree_of_the_3_cube) {
  const RootedTree tree(network::hypercube(3), 0, child_ports(SpanningBinomialTree(3), 0));
  const Node nodes[] = {0, 1, 2, 4, 3, 5, 6, 7};
  const std::uint32_t parents[] = {0, 0, 0, 0, 1, 1, 2, 4}, sizes[] = {8, 4, 2, 1, 2, 1, 1, 1},
                      preorder[] = {0, 1, 5, 7, 2, 4, 6, 3};
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(tree.node(i), nodes[i]);
    EXPECT_EQ(tree.parent(i), parents[i]);
    EXPECT_EQ(tree.subtree_size(i), sizes[i]);
    EXPECT_EQ(tree.preorder(i), preorder[i]);
  }
  EXPECT_EQ(tree.height(0), 3u);
  EXPECT_EQ(tree.depth(7), 3u);
  EXPECT_EQ(tree.children(1).begin, 4u);
  EXPECT_EQ(tree.children(1).end, 6u);
  EXPECT_EQ(tree.child_towards(0, 7), 1u);
  EXPECT_EQ(tree.child_towards(1, 7), 4u);
}

void expect_consistent(const RootedTree& tree, const network::Network& network) {
  std::set<Node> seen{tree.node(0)};
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    const std::uint32_t parent = tree.parent(i);
    EXPECT_EQ(network.neighbour(tree.node(parent), tree.port(i)), tree.node(i));
    EXPECT_EQ(tree.depth(i), tree.depth(parent) + 1);
    EXPECT_TRUE(tree.children(parent).begin <= i && i < tree.children(parent).end);
    if (i + 1 < tree.children(parent).end) {
      EXPECT_GE(tree.height(i), tree.height(i + 1));
    }
    seen.insert(tree.node(i));
    for (std::uint32_t below = i; below != 0; below = tree.parent(below)) {
      EXPECT_EQ(tree.child_towards(tree.parent(below), i), below);
    }
  }
  EXPECT_EQ(seen.size(), network.order());
}

TEST(RootedTree, is_consistent_for_the_trees_of_hypercubes) {
  for (std::uint32_t n = 1; n <= 7; ++n) {
    const network::Network cube = network::hypercube(n);
    const Node root = cube.order() / 3;
    expect_consistent(RootedTree(cube, root, child_ports(SpanningBinomialTree(n), root)), cube);
    expect_consistent(RootedTree(cube, root, child_ports(BalancedSpanningTree(n), root)), cube);
    expect_consistent(RootedTree(cube, root, child_ports(TwoRootedTree(n), root)), cube);
  }
}

}  // namespace
}  // namespace isotrope::algorithm
