// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/shortest_first.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::algorithm {
namespace {

// The rounds after which each row is done; 0 for an empty one. Checks the rounds on the way.
std::vector<std::uint64_t> checked_times(const TaskMatrix& matrix, std::uint32_t seed) {
  const Decomposition decomposition = shortest_first(matrix, seed);
  EXPECT_EQ(decomposition.size(), matrix.critical_sum());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> taken;
  std::vector<std::uint64_t> times(matrix.rows(), 0);
  for (std::uint64_t t = 0; t < decomposition.size(); ++t) {
    std::vector<bool> row_used(matrix.rows(), false), column_used(matrix.columns(), false);
    EXPECT_FALSE(decomposition.round(t).empty());
    for (const auto [row, column] : decomposition.round(t)) {
      EXPECT_FALSE(row_used[row]);
      EXPECT_FALSE(column_used[column]);
      row_used[row] = column_used[column] = true;
      ++taken[{row, column}];
      times[row] = t + 1;
    }
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> wanted;
  for (std::uint32_t row = 0; row < matrix.rows(); ++row) {
    for (const auto [column, count] : matrix.row(row)) wanted[{row, column}] += count;
  }
  EXPECT_EQ(taken, wanted);
  return times;
}

TaskMatrix matrix_of_rows(const std::vector<std::vector<std::uint32_t>>& rows, std::uint32_t columns) {
  TaskMatrix matrix(columns);
  for (const auto& row : rows) {
    for (std::uint32_t column = 0; column < row.size(); ++column) matrix.add(column, row[column]);
    matrix.close_row();
  }
  return matrix;
}

// The row of 3 is critical from the start and takes a column each round; the others have the other one each.
TEST(ShortestFirst, takes_from_critical_rows_and_then_from_short_ones) {
  const TaskMatrix matrix = matrix_of_rows({{2, 1}, {1, 0}, {0, 1}, {0, 1}}, 2);
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const auto times = checked_times(matrix, seed);
    EXPECT_EQ(times[0], 3u);
    EXPECT_EQ(times[1] + times[2] + times[3], 6u);
  }
}

// Both rows of 1 go before the row of 2, though it stands first.
TEST(ShortestFirst, finishes_short_rows_early) {
  const TaskMatrix matrix = matrix_of_rows({{1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 3}, {1, 1, 0}}, 3);
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const auto times = checked_times(matrix, seed);
    EXPECT_EQ(times[1], 1u);
    EXPECT_EQ(times[2], 1u);
    EXPECT_EQ(times[0] + times[4], 6u);
  }
}

TEST(ShortestFirst, clears_an_empty_matrix_and_empty_rows_in_no_rounds) {
  EXPECT_EQ(shortest_first(TaskMatrix(3), 1).size(), 0u);
  EXPECT_EQ(checked_times(matrix_of_rows({{}, {0, 1}, {}}, 2), 1), (std::vector<std::uint64_t>{0, 1, 0}));
}

// Sparse, dense, with one heavy column or heavy rows: all are cleared in the critical sum.
TEST(ShortestFirst, takes_the_least_rounds_on_random_matrices) {
  std::mt19937 random(1);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int trial = 0; trial < 600; ++trial) {
    const std::uint32_t columns = 1 + below(8);
    const std::uint32_t fill = 1 + below(8), most = 1 + below(4);
    std::vector<std::vector<std::uint32_t>> rows(1 + below(trial % 10 == 0 ? 120 : 12));
    for (auto& row : rows) {
      row.resize(columns);
      for (std::uint32_t& entry : row) entry = below(8) < fill ? below(most + 1) : 0;
      if (below(16) == 0) row[0] += below(30);
    }
    checked_times(matrix_of_rows(rows, columns), static_cast<std::uint32_t>(trial) + 1);
  }
}

}  // namespace
}  // namespace isotrope::algorithm
