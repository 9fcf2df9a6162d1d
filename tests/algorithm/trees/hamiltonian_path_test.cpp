// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/tree_properties.hpp"

namespace isotrope::algorithm {
namespace {

TEST(HamiltonianPath, follows_the_gray_code) {
  EXPECT_THAT(parents_of(HamiltonianPath(3), 3), testing::ElementsAre(0, 3, 1, 5, 7, 2, 6));
  EXPECT_TRUE(HamiltonianPath(3).children(4, 0).empty());
}

TEST(HamiltonianPath, is_one_path_through_all_nodes) {
  for (std::uint32_t n = 1; n <= 9; ++n) expect_spanning_tree(HamiltonianPath(n), n, (1u << n) - 1);
}

}  // namespace
}  // namespace isotrope::algorithm
