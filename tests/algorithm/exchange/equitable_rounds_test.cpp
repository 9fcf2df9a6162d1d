// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/equitable_rounds.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::algorithm {
namespace {

using Counts = std::vector<std::vector<std::uint32_t>>;

TaskMatrix matrix_of(const Counts& counts, std::uint32_t columns) {
  TaskMatrix matrix(columns);
  for (const auto& row : counts) {
    for (std::uint32_t column = 0; column < columns; ++column) matrix.add(column, row[column]);
    matrix.close_row();
  }
  return matrix;
}

// The largest use of a column, round by round; fails where the rounds are not a colouring of the matrix.
std::vector<std::uint64_t> checked_loads(const Counts& counts, std::uint32_t columns,
                                         const Decomposition& rounds) {
  Counts left = counts;
  std::vector<std::uint64_t> loads;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    std::set<std::uint32_t> rows;
    std::vector<std::uint64_t> uses(columns, 0);
    for (const auto [row, column] : rounds.round(t)) {
      EXPECT_TRUE(rows.insert(row).second) << "row " << row << " twice in round " << t;
      EXPECT_GT(left[row][column]--, 0U);
      ++uses[column];
    }
    loads.push_back(*std::ranges::max_element(uses));
  }
  for (const auto& row : left) EXPECT_EQ(std::ranges::count(row, 0U), columns);
  return loads;
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  std::uint64_t result = 0;
  for (const std::uint64_t value : values) result += value;
  return result;
}

// All ways to order the rows' uses, one row after the other. Cost: (rounds!)^rows at most.
class BruteForce {
 public:
  BruteForce(const Counts& counts, std::uint32_t columns, std::uint32_t rounds)
      : columns_(columns), uses_(rounds, std::vector<std::uint64_t>(columns, 0)) {
    for (const auto& row : counts) {
      std::vector<std::uint32_t> places;  // column of each round, `columns` for none
      for (std::uint32_t column = 0; column < columns; ++column)
        places.insert(places.end(), row[column], column);
      places.resize(rounds, columns);
      rows_.push_back(places);
    }
    search(0);
  }

  std::uint64_t least() const { return least_; }

 private:
  void search(std::size_t row) {
    if (row == rows_.size()) {
      std::uint64_t loads = 0;
      for (const auto& round : uses_) loads += *std::ranges::max_element(round);
      least_ = std::min(least_, loads);
      return;
    }
    std::vector<std::uint32_t> places = rows_[row];
    do {
      place(places, 1);
      search(row + 1);
      place(places, static_cast<std::uint64_t>(-1));
    } while (std::ranges::next_permutation(places).found);
  }

  void place(const std::vector<std::uint32_t>& places, std::uint64_t one) {
    for (std::size_t t = 0; t < places.size(); ++t) {
      if (places[t] < columns_) uses_[t][places[t]] += one;
    }
  }

  std::uint32_t columns_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<std::vector<std::uint64_t>> uses_;
  std::uint64_t least_ = UINT64_MAX;
};

// The drawing of equitable_rounds.hpp: columns of 3 and 4, three rounds, loads of 2, 1 and 1.
TEST(EquitableRounds, spreads_two_columns) {
  const Counts counts{{2, 1}, {1, 1}, {0, 2}};
  const Decomposition rounds = equitable_rounds(matrix_of(counts, 2), 3);
  EXPECT_THAT(checked_loads(counts, 2, rounds), testing::ElementsAre(2U, 1U, 1U));
}

// Rows of full length leave no choice but their order.
TEST(EquitableRounds, balances_rows_of_full_length) {
  const Counts counts(6, {1, 1, 1});
  const Decomposition rounds = equitable_rounds(matrix_of(counts, 3), 3);
  EXPECT_THAT(checked_loads(counts, 3, rounds), testing::Each(2U));
}

TEST(EquitableRounds, takes_matrices_without_anything_to_do) {
  EXPECT_EQ(equitable_rounds(TaskMatrix(3), 0).size(), 0U);
  EXPECT_EQ(equitable_rounds(matrix_of({{0, 0}}, 2), 4).size(), 4U);
}

TEST(EquitableRounds, needs_no_more_than_brute_force_on_tiny_matrices) {
  std::mt19937 random(11);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int trial = 0; trial < 150; ++trial) {
    const std::uint32_t columns = 1 + below(3), rounds = 1 + below(3);
    Counts counts(1 + below(4), std::vector<std::uint32_t>(columns, 0));
    for (auto& row : counts) {
      for (std::uint32_t i = below(rounds + 1); i > 0; --i) ++row[below(columns)];
    }
    const auto loads = checked_loads(counts, columns, equitable_rounds(matrix_of(counts, columns), rounds));
    EXPECT_EQ(sum(loads), BruteForce(counts, columns, rounds).least()) << trial;
  }
}

// What is proved: no column more often than ceil(C / R) in any round. What is found: loads that add up to C.
TEST(EquitableRounds, keeps_within_one_of_even_on_random_matrices) {
  std::mt19937 random(5);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  int exact = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint32_t columns = 1 + below(8), rounds = 1 + below(9);
    const std::uint32_t least_length = trial % 3 == 0 ? rounds : 0;  // now and then full rows only
    Counts counts(1 + below(60), std::vector<std::uint32_t>(columns, 0));
    for (auto& row : counts) {
      const std::uint32_t favourite = below(columns);
      for (std::uint32_t i = least_length + below(rounds - least_length + 1); i > 0; --i)
        ++row[below(3) == 0 ? favourite : below(columns)];
    }
    const TaskMatrix matrix = matrix_of(counts, columns);
    const std::uint64_t most = *std::ranges::max_element(matrix.column_sums());
    const auto loads = checked_loads(counts, columns, equitable_rounds(matrix, rounds));
    ASSERT_EQ(loads.size(), rounds);
    EXPECT_LE(*std::ranges::max_element(loads), (most + rounds - 1) / rounds) << trial;
    exact += sum(loads) == most ? 1 : 0;
  }
  EXPECT_GE(exact, 280);
}

TEST(EquitableRounds, refuses_more_places_than_it_can_number) {
  EXPECT_THROW(equitable_rounds(matrix_of({{1}, {1}}, 1), std::uint32_t{1} << 31), Error);
}

}  // namespace
}  // namespace isotrope::algorithm
