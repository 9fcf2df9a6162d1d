// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/least_assignment.hpp"

#include <limits>
#include <utility>

namespace isotrope::algorithm {
namespace {

constexpr std::uint32_t nothing = UINT32_MAX;

class Assignment {
 public:
  Assignment(std::span<const double> costs, std::uint32_t n)
      : costs_(costs),
        n_(n),
        row_prices_(n, 0),
        column_prices_(n, 0),
        rows_(n, nothing),
        columns_(n, nothing) {}

  // Gives `row` a column, by exchanges of columns between other rows.
  void add(std::uint32_t row) {
    came_from_.assign(n_, nothing);
    distances_.assign(n_, std::numeric_limits<double>::infinity());
    settled_.clear();
    std::vector<bool> done(n_, false);
    std::uint32_t column = nothing;
    double travelled = 0;
    for (std::uint32_t at = row; at != nothing; at = rows_[column]) {
      relax(at, travelled, done);
      column = nearest(done);
      travelled = distances_[column];
      done[column] = true;
      settled_.push_back(column);
    }
    adjust_prices(row, travelled);
    while (column != nothing) {
      rows_[column] = came_from_[column];
      std::swap(columns_[came_from_[column]], column);
    }
  }

  std::vector<std::uint32_t> columns() && { return std::move(columns_); }

 private:
  void relax(std::uint32_t row, double travelled, const std::vector<bool>& done) {
    for (std::uint32_t column = 0; column < n_; ++column) {
      if (done[column]) continue;
      const double reduced =
          costs_[std::size_t{row} * n_ + column] - row_prices_[row] - column_prices_[column];
      if (travelled + reduced >= distances_[column]) continue;
      distances_[column] = travelled + reduced;
      came_from_[column] = row;
    }
  }

  std::uint32_t nearest(const std::vector<bool>& done) const {
    std::uint32_t best = nothing;
    for (std::uint32_t column = 0; column < n_; ++column) {
      if (!done[column] && (best == nothing || distances_[column] < distances_[best])) best = column;
    }
    return best;
  }

  void adjust_prices(std::uint32_t row, double travelled) {
    row_prices_[row] += travelled;
    for (const std::uint32_t column : settled_) {
      const double left = travelled - distances_[column];
      column_prices_[column] -= left;
      if (rows_[column] != nothing) row_prices_[rows_[column]] += left;
    }
  }

  std::span<const double> costs_;
  std::uint32_t n_;
  std::vector<double> row_prices_;
  std::vector<double> column_prices_;
  std::vector<std::uint32_t> rows_;       // by column
  std::vector<std::uint32_t> columns_;    // by row
  std::vector<std::uint32_t> came_from_;  // by column: its predecessor row on the shortest path
  std::vector<double> distances_;         // by column
  std::vector<std::uint32_t> settled_;
};

}  // namespace

std::vector<std::uint32_t> least_assignment(std::span<const double> costs, std::uint32_t n) {
  Assignment assignment(costs, n);
  for (std::uint32_t row = 0; row < n; ++row) assignment.add(row);
  return std::move(assignment).columns();
}

}  // namespace isotrope::algorithm
