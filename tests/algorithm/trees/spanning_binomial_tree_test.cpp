// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

using testing::ElementsAre;

TEST(SpanningBinomialTree, complements_leading_zeroes) {
  const SpanningBinomialTree tree(4);
  EXPECT_THAT(parents_of(tree, 4), ElementsAre(0, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(listed(tree.children(0, 0)), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(listed(tree.children(0b1010, 0b1000)), ElementsAre(0b1110, 0b0010));
}

TEST(SpanningBinomialTree, is_a_binomial_tree) {
  for (std::uint32_t n = 1; n <= 10; ++n) {
    const SpanningBinomialTree tree(n);
    expect_spanning_tree(tree, n, n);
    const std::vector<std::uint32_t> found = depths(tree, n, 0);
    for (network::Node node = 0; node < found.size(); ++node) {
      EXPECT_EQ(found[node], static_cast<std::uint32_t>(std::popcount(node)));
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
