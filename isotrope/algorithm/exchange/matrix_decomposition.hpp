// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A task matrix cleared in the least number of rounds.
//
// Rows are packets of origin 0 (or other units that use one port per round), columns are ports. An entry is the
// number of links of its port on the route of its packet. A round takes one from each of several entries: no two
// in a row (a packet uses one port), no two in a column (a port carries one packet), at most k in all (open ports).
//
//                  port 0  1  2  3
//     packet 0          1  0  1  1         critical sum h = 5 (the largest line, here port 3), total sum 13
//     packet 1          0  1  1  1
//     packet 2          1  0  0  1         k = 4: 5 rounds      one may take (0,2), (1,1), (2,0), (3,3)
//     packet 3          1  0  1  1         k = 2: 7 rounds
//     packet 4          0  1  0  1         k = 1: 13 rounds
//
// A round takes at most one from a line and k in all, so at least T = max(h, ceil(total / k)) rounds are needed.
// T rounds are enough:
//
//     merge    Consecutive rows share a bin while their sum is at most T, and so do consecutive columns; entries
//              without a common bin have no common line. Neighbouring bins sum to more than T and all to at most
//              k T, so there are R <= 2k - 1 bins of rows and C <= 2k - 1 bins of columns.
//     pad      The total is at most k' T, k' = min(k, R, C). Raise the merged matrix to A with sum k' T and
//              border it so that every line sums to T:
//
//                              C    R - k'
//                     R      [ A      B ]     K = R + C - k' lines each way; a perfect matching has R - k'
//                     C - k' [ B'     0 ]     entries in B and C - k' in B', hence k' in A
//
//     match    The positive entries of a matrix with equal line sums have a perfect matching (Hall). A matching
//              serves for as many rounds as its least entry; then augmenting paths from the rows whose entry is
//              used up lead to the next matching.
//
// Claims: exactly T rounds, the least for this matrix and k, none of them empty. Cost: O(entries + total) to sort
// and list the cells. The padded matrix has at most R C + 4 K entries; every matching uses up one or more of them,
// and each such entry costs one search of at most all others. Memory: 16 bytes per cell, half of them the result.
// Source: Varvarigos and Bertsekas 1992, Theorems 3 to 5 and 7. Their square has a line per packet; merging
// keeps it below 3k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

namespace isotrope::algorithm {

/// Nonnegative integers in rows and columns, stored by rows. 8 bytes per entry and 8 per row.
class TaskMatrix {
 public:
  /// A nonzero entry of a row.
  struct Entry {
    std::uint32_t column;
    std::uint32_t count;
  };

  /// A matrix without rows.
  explicit TaskMatrix(std::uint32_t columns) : column_sums_(columns) {}

  void reserve(std::uint64_t rows, std::uint64_t entries) {
    row_ends_.reserve(rows);
    entries_.reserve(entries);
  }
  /// Adds `count` to an entry of the row under construction.
  /// @throws Error unless `column` is below columns().
  void add(std::uint32_t column, std::uint32_t count = 1) {
    if (column >= columns()) refuse_column(column);
    if (count == 0) return;
    entries_.push_back({column, count});
    column_sums_[column] += count;
    row_sum_ += count;
  }
  /// Ends the row under construction, which may be empty. @pre there are fewer than 2^32 rows.
  void close_row();

  std::uint64_t rows() const { return row_ends_.size(); }
  std::uint32_t columns() const { return static_cast<std::uint32_t>(column_sums_.size()); }
  /// The entries of a closed row as they were added.
  std::span<const Entry> row(std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : row_ends_[i - 1];
    return {entries_.data() + begin, row_ends_[i] - begin};
  }
  /// The sum of each column.
  std::span<const std::uint64_t> column_sums() const { return column_sums_; }
  /// The largest sum of a row.
  std::uint64_t largest_row() const { return largest_row_; }
  /// The largest sum of a row or column, h in the paper.
  std::uint64_t critical_sum() const;
  /// The sum of all entries, sigma in the paper.
  std::uint64_t total_sum() const { return total_sum_; }

 private:
  [[noreturn]] void refuse_column(std::uint32_t column) const;

  std::vector<Entry, HugePageAllocator<Entry>> entries_;
  std::vector<std::uint64_t> row_ends_;
  std::vector<std::uint64_t> column_sums_;
  std::uint64_t row_sum_ = 0;  // of the row under construction
  std::uint64_t largest_row_ = 0;
  std::uint64_t total_sum_ = 0;
};

/// One unit of an entry of a task matrix.
struct MatrixCell {
  std::uint32_t row;
  std::uint32_t column;

  bool operator==(const MatrixCell&) const = default;
};

/// Cells in rounds, stored one after the other. 8 bytes per cell and 8 per round.
class Decomposition {
 public:
  void reserve(std::uint64_t rounds, std::uint64_t cells) {
    ends_.reserve(rounds);
    cells_.reserve(cells);
  }
  /// Adds a cell to the round under construction.
  void add(MatrixCell cell) { cells_.push_back(cell); }
  /// Ends the round under construction; the next cell belongs to the following round.
  void close_round() { ends_.push_back(cells_.size()); }

  /// The number of rounds.
  std::uint64_t size() const { return ends_.size(); }
  std::span<const MatrixCell> round(std::uint64_t t) const {
    const std::uint64_t begin = t == 0 ? 0 : ends_[t - 1];
    return {cells_.data() + begin, ends_[t] - begin};
  }
  /// All cells in order of their rounds.
  std::span<const MatrixCell> cells() const { return cells_; }

 private:
  std::vector<MatrixCell, HugePageAllocator<MatrixCell>> cells_;
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> ends_;
};

/// The largest total sum of a matrix that decompose() takes.
inline constexpr std::uint64_t most_cells = std::uint64_t{1} << 32;

/// The least number of rounds that clear `matrix` with at most `k` cells per round; k >= columns() is no
/// restriction. @pre every row is closed. @throws Error if k is 0 and the matrix is not.
std::uint64_t least_rounds(const TaskMatrix& matrix, std::uint32_t k);

/// As many rounds, of at most `k` cells each, no two in a row or column; together they clear the matrix.
/// @pre every row is closed. @throws Error if k is 0 and the matrix is not, or if its total sum exceeds most_cells.
Decomposition decompose(const TaskMatrix& matrix, std::uint32_t k);

}  // namespace isotrope::algorithm
