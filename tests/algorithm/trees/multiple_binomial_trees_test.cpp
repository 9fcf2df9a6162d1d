// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/multiple_binomial_trees.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using testing::ElementsAre;

// One of the trees, in the form that the properties of trees take.
struct OneTree {
  MultipleBinomialTrees trees;
  std::uint32_t tree;

  std::optional<Node> parent(Node node, Node root) const { return trees.parent(node, tree, root); }
  NodeList children(Node node, Node root) const { return trees.children(node, tree, root); }
};

std::vector<std::uint32_t> labels(std::uint32_t dimension, std::uint32_t tree) {
  std::vector<std::uint32_t> result;
  for (Node node = 1; node < Node{1} << dimension; ++node) {
    result.push_back(MultipleBinomialTrees(dimension).label(node, tree, 0));
  }
  return result;
}

TEST(MultipleBinomialTrees, have_the_parents_and_labels_of_the_paper) {
  const MultipleBinomialTrees trees(3);
  EXPECT_THAT(parents_of(OneTree{trees, 0}, 3), ElementsAre(0, 3, 1, 5, 1, 7, 3));
  EXPECT_THAT(parents_of(OneTree{trees, 1}, 3), ElementsAre(3, 0, 2, 6, 7, 2, 6));
  EXPECT_THAT(parents_of(OneTree{trees, 2}, 3), ElementsAre(5, 6, 7, 0, 4, 4, 5));
  EXPECT_THAT(labels(3, 0), ElementsAre(0, 3, 1, 3, 2, 3, 2));
  EXPECT_THAT(labels(3, 1), ElementsAre(4, 1, 3, 4, 4, 2, 3));
  EXPECT_THAT(labels(3, 2), ElementsAre(5, 5, 5, 2, 3, 4, 4));
}

TEST(MultipleBinomialTrees, span_the_cube_without_sharing_a_link) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    const MultipleBinomialTrees trees(n);
    const Node nodes = Node{1} << n;
    std::set<std::pair<Node, Node>> links;
    for (std::uint32_t tree = 0; tree < n; ++tree) {
      expect_spanning_tree(OneTree{trees, tree}, n, n == 1 ? 1 : n + 1);
      const std::vector<std::uint32_t> found = depths(OneTree{trees, tree}, n, 0);
      for (Node node = 1; node < nodes; ++node) {
        EXPECT_EQ(found[node], trees.depth(node, tree));
        links.emplace(*trees.parent(node, tree, 0), node);
      }
    }
    EXPECT_EQ(links.size(), std::size_t{n} * (nodes - 1)) << "all but those into the root";
  }
}

TEST(MultipleBinomialTrees, know_the_tree_of_every_link) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    const MultipleBinomialTrees trees(n);
    for (Node c = 1; c < Node{1} << n; ++c) {
      for (std::uint32_t d = 0; d < n; ++d)
        EXPECT_EQ(trees.parent(c, trees.tree_of_link(c, d), 0), c ^ Node{1} << d);
    }
  }
}

// The three conditions of Ho and Johnsson, Section 3.3.2, and that a label is the link's dimension modulo n.
TEST(MultipleBinomialTrees, have_valid_labels) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    const MultipleBinomialTrees trees(n);
    const Node root = (Node{1} << n) / 3;
    std::vector<std::set<std::uint32_t>> inputs(std::size_t{1} << n), outputs(std::size_t{1} << n);
    for (std::uint32_t tree = 0; tree < n; ++tree) {
      for (Node node = 0; node < Node{1} << n; ++node) {
        if (node == root) continue;
        const std::uint32_t label = trees.label(node, tree, root);
        const Node parent = *trees.parent(node, tree, root);
        EXPECT_LT(label, 2 * n);
        EXPECT_EQ(Node{1} << (label % n), node ^ parent);
        EXPECT_TRUE(parent == root || label > trees.label(parent, tree, root));
        EXPECT_TRUE(inputs[node].insert(label % n).second);
        EXPECT_TRUE(outputs[parent].insert(label % n).second);
        EXPECT_TRUE(label >= n || ((node ^ root) >> label & 1) == 1) << "early links set a bit";
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
