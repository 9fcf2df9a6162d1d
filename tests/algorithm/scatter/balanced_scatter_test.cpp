// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/balanced_scatter.hpp"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/balanced_tree.hpp"
#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

using testing::ElementsAre;

// Sizes of the root's subtrees, by port.
std::vector<std::uint32_t> subtree_sizes(std::uint32_t dimension) {
  const std::vector<network::Node> parents = balanced_tree(dimension);
  std::vector<std::uint32_t> sizes(dimension, 0);
  for (network::Node t = 1; t < parents.size(); ++t) {
    network::Node top = t;
    while (parents[top] != 0) top = parents[top];
    ++sizes[static_cast<std::size_t>(std::countr_zero(top))];
  }
  return sizes;
}

TEST(BalancedTree, has_the_parents_and_sizes_of_the_paper) {
  EXPECT_THAT(balanced_tree(4), ElementsAre(0, 0, 0, 1, 0, 1, 2, 3, 0, 8, 2, 9, 4, 12, 6, 13));
  EXPECT_THAT(subtree_sizes(3), ElementsAre(3, 2, 2));
  EXPECT_THAT(subtree_sizes(4), ElementsAre(4, 4, 4, 3));
  EXPECT_THAT(subtree_sizes(5), ElementsAre(7, 6, 6, 6, 6));
  EXPECT_THAT(subtree_sizes(6), ElementsAre(11, 11, 11, 10, 10, 10));
  EXPECT_THAT(subtree_sizes(8), ElementsAre(32, 32, 32, 32, 32, 32, 32, 31));
}

TEST(BalancedTree, is_a_shortest_path_tree_and_perfectly_balanced) {
  for (std::uint32_t d = 1; d <= 16; ++d) {
    const std::vector<network::Node> parents = balanced_tree(d);
    for (network::Node t = 1; t < parents.size(); ++t) {
      ASSERT_EQ(std::popcount(t ^ parents[t]), 1);
      ASSERT_LT(parents[t], t | parents[t]);
    }
    const auto nodes = static_cast<std::uint32_t>(parents.size()) - 1;
    for (const std::uint32_t size : subtree_sizes(d)) {
      EXPECT_GE(size, nodes / d);
      EXPECT_LE(size, (nodes + d - 1) / d);
    }
  }
}

TEST(BalancedScatter, follows_its_tree) {
  const schedule::Schedule schedule = balanced_scatter(6, 0, 1);
  const std::vector<network::Node> parents = balanced_tree(6);
  for (const schedule::Hop& hop : schedule.stages[0].rounds.hops()) {
    const network::Node to = hop.from ^ (network::Node{1} << hop.port);
    EXPECT_EQ(to & hop.packet, to);
    if (to == hop.packet) {
      EXPECT_EQ(parents[to], hop.from);
    }
  }
}

TEST(BalancedScatter, is_optimal_in_rounds_and_transmissions) {
  for (std::uint32_t d = 1; d <= 20; ++d) {
    const network::Node root = (std::uint32_t{1} << d) / 3;
    const verify::Report report = check_on_hypercube(d, "scatter", balanced_scatter(d, root, 1), root);
    const std::uint64_t n = std::uint64_t{1} << d;
    EXPECT_TRUE(report.optimal && report.claims_hold) << d;
    EXPECT_EQ(report.rounds, (n - 1 + d - 1) / d);
    EXPECT_EQ(report.transmissions, d * n / 2);
  }
}

TEST(BalancedScatter, is_optimal_for_any_number_of_parts) {
  for (std::uint32_t d = 1; d <= 9; ++d) {
    for (std::uint32_t parts = 2; parts <= 2 * d + 1; ++parts) {
      const verify::Report report = check_on_hypercube(d, "scatter", balanced_scatter(d, 1, parts), 1, parts);
      EXPECT_TRUE(report.optimal) << d << " " << parts;
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
