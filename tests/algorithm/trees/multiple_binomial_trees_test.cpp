// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/multiple_binomial_trees.hpp"

#include <bit>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using testing::ElementsAre;

// Tree j of a cube, as the paper describes it.
struct OneTree {
  std::uint32_t n;
  std::uint32_t j;

  // The first one bit of c != 0 at j-1, j-2, ..., j cyclically: rotated so that bit j is the lowest, the highest.
  std::uint32_t first_one_below(Node c) const {
    const Node rotated = rotate_left(c, j == 0 ? 0 : n - j, n);
    return (static_cast<std::uint32_t>(std::bit_width(rotated)) - 1 + j) % n;
  }

  std::optional<Node> parent(Node node, Node root) const {
    const Node c = node ^ root;
    if (c == 0) return std::nullopt;
    return node ^ Node { 1 } << (has_bit(c) ? first_one_below(c) : j);
  }

  NodeList children(Node node, Node root) const {
    NodeList result;
    const Node c = node ^ root;
    if (c == 0) result.push_back(node ^ Node{1} << j);
    if (!has_bit(c)) return result;
    const std::uint32_t k = first_one_below(c);
    for (std::uint32_t m = (k + 1) % n; m != j; m = (m + 1) % n) result.push_back(node ^ Node{1} << m);
    if (k != j) result.push_back(node ^ Node{1} << j);
    return result;
  }

  // The label f of the link into a node other than the root, 0..2n-1.
  std::uint32_t label(Node node, Node root) const {
    const Node c = node ^ root;
    if (!has_bit(c)) return j + n;
    const std::uint32_t k = first_one_below(c);
    return k >= j ? k : k + n;
  }

  bool has_bit(Node c) const { return (c >> j & 1) != 0; }
};

std::vector<std::uint32_t> labels(const OneTree& tree) {
  std::vector<std::uint32_t> result;
  for (Node node = 1; node < Node{1} << tree.n; ++node) result.push_back(tree.label(node, 0));
  return result;
}

TEST(MultipleBinomialTrees, have_the_parents_and_labels_of_the_paper) {
  EXPECT_THAT(parents_of(OneTree{3, 0}, 3), ElementsAre(0, 3, 1, 5, 1, 7, 3));
  EXPECT_THAT(parents_of(OneTree{3, 1}, 3), ElementsAre(3, 0, 2, 6, 7, 2, 6));
  EXPECT_THAT(parents_of(OneTree{3, 2}, 3), ElementsAre(5, 6, 7, 0, 4, 4, 5));
  EXPECT_THAT(labels({3, 0}), ElementsAre(0, 3, 1, 3, 2, 3, 2));
  EXPECT_THAT(labels({3, 1}), ElementsAre(4, 1, 3, 4, 4, 2, 3));
  EXPECT_THAT(labels({3, 2}), ElementsAre(5, 5, 5, 2, 3, 4, 4));
}

TEST(MultipleBinomialTrees, span_the_cube_without_sharing_a_link) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    const Node nodes = Node{1} << n;
    std::set<std::pair<Node, Node>> links;
    for (std::uint32_t tree = 0; tree < n; ++tree) {
      expect_spanning_tree(OneTree{n, tree}, n, n == 1 ? 1 : n + 1);
      const std::vector<std::uint32_t> found = depths(OneTree{n, tree}, n, 0);
      const std::vector<Node> parents = all_parents(OneTree{n, tree}, n, 0);
      for (Node node = 1; node < nodes; ++node) {
        EXPECT_EQ(found[node], msbt_depth(node, tree));
        EXPECT_EQ(parents[node], (OneTree{n, tree}.parent(node, 0)));
        links.emplace(*OneTree{n, tree}.parent(node, 0), node);
      }
    }
    EXPECT_EQ(links.size(), std::size_t{n} * (nodes - 1)) << "all but those into the root";
  }
}

TEST(MultipleBinomialTrees, know_the_tree_of_every_link) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    for (Node c = 1; c < Node{1} << n; ++c) {
      for (std::uint32_t d = 0; d < n; ++d)
        EXPECT_EQ((OneTree{n, msbt_of_link(n, c, d)}.parent(c, 0)), c ^ Node{1} << d);
    }
  }
}

// The three conditions of Ho and Johnsson, Section 3.3.2, and that a label is the link's dimension modulo n.
TEST(MultipleBinomialTrees, have_valid_labels) {
  for (std::uint32_t n = 1; n <= 9; ++n) {
    const Node root = (Node{1} << n) / 3;
    std::vector<std::set<std::uint32_t>> inputs(std::size_t{1} << n), outputs(std::size_t{1} << n);
    for (std::uint32_t j = 0; j < n; ++j) {
      const OneTree tree{n, j};
      for (Node node = 0; node < Node{1} << n; ++node) {
        if (node == root) continue;
        const std::uint32_t label = tree.label(node, root);
        const Node parent = *tree.parent(node, root);
        EXPECT_LT(label, 2 * n);
        EXPECT_EQ(Node{1} << (label % n), node ^ parent);
        EXPECT_TRUE(parent == root || label > tree.label(parent, root));
        EXPECT_TRUE(inputs[node].insert(label % n).second);
        EXPECT_TRUE(outputs[parent].insert(label % n).second);
        EXPECT_TRUE(label >= n || ((node ^ root) >> label & 1) == 1) << "early links set a bit";
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
