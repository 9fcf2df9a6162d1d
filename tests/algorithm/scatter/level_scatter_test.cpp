// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/level_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/rotation_order.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using Loads = std::vector<std::uint64_t>;

template <class Tree>
verify::Report checked_levels(std::uint32_t n, std::uint64_t merge = UINT64_MAX, std::uint32_t parts = 1) {
  const Network cube = network::hypercube(n);
  const Node root = cube.order() / 3;
  const RootedTree tree(cube, root, child_ports(Tree(n), root));
  verify::Report report =
      check_on_hypercube(n, "scatter", level_scatter(cube, tree, parts, merge), root, parts);
  EXPECT_TRUE(report.valid) << n << " " << merge;
  return report;
}

std::uint64_t total(const Loads& loads) {
  return std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

TEST(LevelScatter, sends_the_deepest_level_first) {
  EXPECT_EQ(checked_levels<SpanningBinomialTree>(3).link_load, (Loads{1, 2, 1}));
  EXPECT_EQ(checked_levels<SpanningBinomialTree>(3, 1).link_load, (Loads{1, 1, 1, 1}));
  EXPECT_EQ(checked_levels<SpanningBinomialTree>(3, 3, 2).link_load, (Loads{2, 3, 1, 2}));
}

// Lemma 4.2: C(n-1, i) blocks in step i, N/2 in all, and n start-ups.
TEST(LevelScatter, binomial_tree_carries_binomial_numbers) {
  for (std::uint32_t n = 1; n <= 12; ++n) {
    const verify::Report report = checked_levels<SpanningBinomialTree>(n);
    ASSERT_EQ(report.rounds, n);
    EXPECT_TRUE(report.optimal && report.claims_hold);
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(report.link_load[i], binomial(n - 1, i));
    EXPECT_EQ(total(report.link_load), std::uint64_t{1} << (n - 1));
  }
}

// Section 4.2.2: the root's largest subtree in all, n start-ups, no message above N / n^(3/2) blocks.
TEST(LevelScatter, balanced_tree_needs_no_more_than_its_root) {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    const verify::Report report = checked_levels<BalancedSpanningTree>(n);
    EXPECT_EQ(report.rounds, n);
    EXPECT_EQ(total(report.link_load), rotation_classes(n).size());
    const double most =
        static_cast<double>(*std::max_element(report.link_load.begin(), report.link_load.end()));
    if (n >= 3) {
      EXPECT_LE(most * most * n * n * n, std::exp2(2 * n));
    }
  }
}

// Table 6 prints 3N/2 - 1 for the two-rooted tree over all ports; by levels it is 3N/4 - 1.
TEST(LevelScatter, two_rooted_tree_takes_half_of_what_is_printed) {
  for (std::uint32_t n = 2; n <= 10; ++n) {
    EXPECT_EQ(total(checked_levels<TwoRootedTree>(n).link_load), (std::uint64_t{3} << n) / 4 - 1);
  }
}

// A step of the binomial tree takes as many rounds as messages of m blocks hold C(n-1, i).
TEST(LevelScatter, cuts_a_step_into_messages) {
  for (std::uint32_t n = 1; n <= 8; ++n) {
    for (const std::uint64_t merge : {1u, 2u, 3u, 8u}) {
      for (const std::uint32_t parts : {1u, 3u}) {
        std::uint64_t expected = 0;
        for (std::uint32_t i = 0; i < n; ++i) expected += (binomial(n - 1, i) * parts + merge - 1) / merge;
        EXPECT_EQ(checked_levels<SpanningBinomialTree>(n, merge, parts).rounds, expected);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
