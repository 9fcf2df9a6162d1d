// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"

#include <algorithm>
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/algorithm/trees/rotation_order.hpp"

#include "tests/algorithm/balanced_tree.hpp"
#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using testing::ElementsAre;

std::vector<std::uint32_t> sizes_on_cube(std::uint32_t n) {
  std::vector<std::uint32_t> sizes(n, 0);
  for (Node c = 1; c < Node{1} << n; ++c) ++sizes[BalancedSpanningTree(n).base(c)];
  return sizes;
}

// The base by its definition.
std::uint32_t first_least_rotation(Node c, std::uint32_t n) {
  std::vector<Node> rotations{c};
  for (std::uint32_t right = 1; right < n; ++right) rotations.push_back(rotate_left(c, n - right, n));
  return static_cast<std::uint32_t>(std::min_element(rotations.begin(), rotations.end()) - rotations.begin());
}

TEST(BalancedSpanningTree, has_the_bases_and_parents_of_the_paper) {
  EXPECT_EQ(BalancedSpanningTree(6).base(0b011010), 1u);
  EXPECT_EQ(BalancedSpanningTree(6).base(0b011001), 3u);
  EXPECT_EQ(BalancedSpanningTree(6).base(0b110110), 1u);
  EXPECT_THAT(parents_of(BalancedSpanningTree(5), 5),
              ElementsAre(0, 0, 1, 0, 1, 2, 3, 0, 8, 2, 3, 4, 12, 6, 7, 0, 16, 16, 17, 4, 17, 6, 19, 8, 24,
                          24, 25, 12, 28, 14, 15));
  EXPECT_THAT(sizes_on_cube(4), ElementsAre(5, 4, 3, 3));
  EXPECT_THAT(sizes_on_cube(6), ElementsAre(13, 12, 11, 9, 9, 9));
  EXPECT_THAT(sizes_on_cube(8), ElementsAre(35, 34, 33, 33, 30, 30, 30, 30));
}

// Ho and Johnsson 1986, Table 5: the largest subtree. It has one node a necklace, 0 left out.
TEST(BalancedSpanningTree, has_the_largest_subtrees_of_table_5) {
  const std::vector<std::uint32_t> table{2,   3,   5,    7,    13,   19,   35,    59,    107,  187,
                                         351, 631, 1181, 2191, 4115, 7711, 14601, 27595, 52487};
  for (std::uint32_t n = 2; n <= 20; ++n) {
    EXPECT_EQ(rotation_classes(n).size(), table[n - 2]);
    if (n > 14) continue;
    const std::vector<std::uint32_t> sizes = sizes_on_cube(n);
    EXPECT_EQ(sizes[0], table[n - 2]);
    EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), table[n - 2]);
  }
}

TEST(BalancedSpanningTree, spans_the_cube_along_shortest_paths) {
  for (std::uint32_t n = 1; n <= 10; ++n) {
    const BalancedSpanningTree tree(n);
    expect_spanning_tree(tree, n, n);
    const std::vector<std::uint32_t> found = depths(tree, n, 0);
    for (Node node = 0; node < found.size(); ++node) {
      EXPECT_EQ(found[node], static_cast<std::uint32_t>(std::popcount(node)));
    }
  }
}

TEST(BalancedSpanningTree, keeps_to_the_definition) {
  for (std::uint32_t n = 1; n <= 14; ++n) {
    const BalancedSpanningTree tree(n);
    std::vector<std::uint32_t> bases;
    for (Node c = 0; c < Node{1} << n; ++c) bases.push_back(first_least_rotation(c, n));
    for (Node c = 0; c < Node{1} << n; ++c) {
      ASSERT_EQ(tree.base(c), bases[c]) << "n " << n << ", c " << c;
      const Node least = rotate_left(c, bases[c] == 0 ? 0 : n - bases[c], n);
      std::vector<Node> children;
      for (auto m = static_cast<std::uint32_t>(std::bit_width(least)); m < n; ++m) {
        const Node child = c | rotate_left(Node{1} << m, bases[c], n);
        if (c == 0 || bases[child] == bases[c]) children.push_back(child);
      }
      ASSERT_EQ(listed(tree.children(c, 0)), children) << "n " << n << ", c " << c;
    }
  }
}

// Properties 2 and 6 of Section 4.1.
TEST(BalancedSpanningTree, has_narrow_nodes_and_cyclic_leaves) {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    const BalancedSpanningTree tree(n);
    for (Node c = 1; c < Node{1} << n; ++c) {
      const std::uint32_t level = static_cast<std::uint32_t>(std::popcount(c));
      EXPECT_LE(tree.children(c, 0).size(), (n - level + 1) / 2);
      bool cyclic = false;
      for (std::uint32_t by = 1; by < n; ++by) cyclic |= rotate_left(c, by, n) == c;
      if (cyclic) {
        EXPECT_TRUE(tree.children(c, 0).empty());
      }
    }
  }
}

TEST(BalancedSpanningTree, is_the_balanced_tree_of_bertsekas_et_al_for_prime_dimensions) {
  for (std::uint32_t n : {2u, 3u, 5u, 7u, 11u}) {
    std::vector<Node> others = balanced_tree(n);
    others.erase(others.begin());
    EXPECT_EQ(parents_of(BalancedSpanningTree(n), n), others) << n;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
