// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include <bit>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using testing::ElementsAre;

TEST(TwoRootedTree, has_the_parents_of_the_construction) {
  EXPECT_THAT(parents_of(TwoRootedTree(1), 1), ElementsAre(0));
  EXPECT_THAT(parents_of(TwoRootedTree(2), 2), ElementsAre(0, 0, 2));
  EXPECT_THAT(parents_of(TwoRootedTree(3), 3), ElementsAre(5, 0, 2, 0, 4, 2, 5));
  EXPECT_THAT(parents_of(TwoRootedTree(4), 4), ElementsAre(9, 6, 1, 0, 1, 4, 6, 0, 8, 11, 9, 4, 12, 12, 11));
}

// The parents of nodes 1, 2, ..., by root 0, with the trees built as they are defined, each from the last.
std::vector<Node> grown_parents(std::uint32_t n) {
  std::vector<Node> parents{0, 0, 0, 2};
  Node r1 = 0, r2 = 2, c1 = 1, c2 = 3;
  for (std::uint32_t m = 2; m < n; ++m) {
    const auto ph = [&](Node x) {
      const Node relative = x ^ r2, ends = 1 | Node{1} << (m - 1);
      const bool differ = std::popcount(relative & ends) == 1;
      return (r2 ^ relative ^ (differ ? ends : 0)) | Node{1} << m;
    };
    parents.resize(std::size_t{2} << m);
    for (Node x = 0; x < Node{1} << m; ++x) parents[ph(x)] = ph(parents[x]);
    for (const Node x : {ph(r2), r1, r2}) parents[x] = r2;
    for (const Node x : {c1, ph(c2)}) parents[x] = r1;
    for (const Node x : {c2, ph(c1)}) parents[x] = ph(r1);
    parents[ph(r1)] = ph(r2);
    std::tie(r1, r2, c1, c2) = std::tuple(r2, ph(r2), r1, ph(r1));
  }
  std::vector<Node> result;
  for (Node node = 1; node < parents.size(); ++node) result.push_back(parents[node ^ r1] ^ r1);
  return result;
}

TEST(TwoRootedTree, is_the_tree_that_grows_cube_by_cube) {
  for (std::uint32_t n = 2; n <= 14; ++n) {
    EXPECT_EQ(parents_of(TwoRootedTree(n), n), grown_parents(n)) << n;
  }
}

// Below either root hangs one complete binary tree: at depth d below it 2^d nodes, all leaves at depth n - 2.
void expect_complete(const TwoRootedTree& tree, Node node, Node root, std::uint32_t levels) {
  const NodeList children = tree.children(node, root);
  ASSERT_EQ(children.size(), levels == 0 ? 0u : 2u);
  for (Node child : children) expect_complete(tree, child, root, levels - 1);
}

TEST(TwoRootedTree, is_two_complete_binary_trees_below_adjacent_roots) {
  for (std::uint32_t n = 1; n <= 14; ++n) {
    const TwoRootedTree tree(n);
    if (n <= 10) expect_spanning_tree(tree, n, n);
    if (n < 2) continue;
    const Node root = (Node{1} << n) / 3;
    const NodeList top = tree.children(root, root);
    ASSERT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0] ^ root, Node{1} << (n - 1)) << "the second root comes first";
    const NodeList below_second = tree.children(top[0], root);
    ASSERT_EQ(below_second.size(), 1u);
    expect_complete(tree, below_second[0], root, n - 2);
    expect_complete(tree, top[1], root, n - 2);
  }
}

}  // namespace
}  // namespace isotrope::algorithm
