// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/least_assignment.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace isotrope::algorithm {
namespace {

double sum(const std::vector<double>& costs, const std::vector<std::uint32_t>& columns) {
  double result = 0;
  for (std::size_t row = 0; row < columns.size(); ++row) result += costs[row * columns.size() + columns[row]];
  return result;
}

std::vector<std::uint32_t> identity(std::uint32_t n) {
  std::vector<std::uint32_t> columns(n);
  std::iota(columns.begin(), columns.end(), 0u);
  return columns;
}

// Row by row the cheapest would be 0, 2, 1: 1 + 3 + 9. The dearest row first: 1 + 2 + 3.
TEST(LeastAssignment, of_three_rows) {
  const std::vector<double> costs{1, 2, 9,   //
                                  2, 4, 3,   //
                                  1, 9, 9};  //
  EXPECT_EQ(least_assignment(costs, 3), (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(least_assignment(std::vector<double>{7}, 1), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(least_assignment({}, 0).empty());
}

// Integers, so that sums are exact.
TEST(LeastAssignment, beats_every_permutation) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t n = 1 + static_cast<std::uint32_t>(trial) % 6;
    std::vector<double> costs(std::size_t{n} * n);
    for (double& cost : costs) cost = static_cast<double>(random() % (trial % 2 == 0 ? 4 : 1000));
    const std::vector<std::uint32_t> found = least_assignment(costs, n);
    EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), identity(n).begin()));
    std::vector<std::uint32_t> columns = identity(n);
    double least = sum(costs, columns);
    while (std::next_permutation(columns.begin(), columns.end()))
      least = std::min(least, sum(costs, columns));
    EXPECT_EQ(sum(costs, found), least);
  }
}

}  // namespace
}  // namespace isotrope::algorithm
