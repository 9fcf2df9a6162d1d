// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/interruption.hpp"

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::algorithm {
namespace {

constexpr std::uint32_t unmatched = UINT32_MAX;

// An entry of the padded matrix. An entry with cells and padding has two blocks.
struct Block {
  std::uint32_t column;
  std::uint64_t left;      // rounds still to match, at least 1
  const MatrixCell* next;  // the cells of these rounds, in turn; null for padding
};
using Blocks = std::vector<std::vector<Block>>;  // by row, in no order

// Puts lines one after the other into bins of one capacity; a line that does not fit opens a new bin.
class NextFit {
 public:
  explicit NextFit(std::uint64_t capacity) : capacity_(capacity) {}

  // The bin of the next line. @pre its sum is at most the capacity.
  std::uint32_t place(std::uint64_t sum) {
    if (slack_.empty() || slack_.back() < sum) slack_.push_back(capacity_);
    slack_.back() -= sum;
    return static_cast<std::uint32_t>(slack_.size()) - 1;
  }
  // The free capacity of each bin.
  std::vector<std::uint64_t>& slack() { return slack_; }

 private:
  std::uint64_t capacity_;
  std::vector<std::uint64_t> slack_;
};

// The matrix with its lines merged into bins, and its cells sorted by the bins of their rows and columns.
class MergedMatrix {
 public:
  MergedMatrix(const TaskMatrix& matrix, std::uint64_t capacity)
      : matrix_(matrix), row_bins_(capacity), column_bins_(capacity) {
    for (std::uint64_t sum : matrix.column_sums()) bin_of_column_.push_back(column_bins_.place(sum));
    cells_in_.resize(column_slack().size());
    next_cell_.resize(column_slack().size());
    cells_.reserve(matrix.total_sum());  // never moves, blocks point into it
    std::uint64_t first = 0;
    for (std::uint64_t row = 0; row < matrix.rows(); ++row) {
      std::uint64_t sum = 0;
      for (const TaskMatrix::Entry entry : matrix.row(row)) sum += entry.count;
      if (row_bins_.place(sum) == blocks_.size()) continue;
      sort_rows(first, row);
      first = row;
    }
    sort_rows(first, matrix.rows());
  }

  Blocks& blocks() { return blocks_; }
  std::vector<std::uint64_t>& row_slack() { return row_bins_.slack(); }
  std::vector<std::uint64_t>& column_slack() { return column_bins_.slack(); }

 private:
  // Makes rows [begin, end) the next row of blocks.
  void sort_rows(std::uint64_t begin, std::uint64_t end) {
    touched_.clear();
    for (std::uint64_t row = begin; row < end; ++row) {
      for (const auto [column, count] : matrix_.row(row)) {
        std::uint64_t& cells = cells_in_[bin_of_column_[column]];
        if (cells == 0) touched_.push_back(bin_of_column_[column]);
        cells += count;
      }
    }
    add_blocks();
    for (std::uint64_t row = begin; row < end; ++row) {
      for (const auto [column, count] : matrix_.row(row)) {
        const MatrixCell cell{static_cast<std::uint32_t>(row), column};
        MatrixCell*& next = next_cell_[bin_of_column_[column]];
        next = std::fill_n(next, count, cell);
      }
    }
  }

  void add_blocks() {
    std::vector<Block>& blocks = blocks_.emplace_back();
    for (std::uint32_t bin : touched_) {
      const std::uint64_t begin = cells_.size();
      cells_.resize(begin + cells_in_[bin]);
      next_cell_[bin] = cells_.data() + begin;
      blocks.push_back({bin, std::exchange(cells_in_[bin], 0), next_cell_[bin]});
    }
  }

  const TaskMatrix& matrix_;
  NextFit row_bins_;
  NextFit column_bins_;
  std::vector<std::uint32_t> bin_of_column_;
  Blocks blocks_;
  std::vector<MatrixCell, HugePageAllocator<MatrixCell>> cells_;
  // Of the row of blocks under construction: the number of cells and the place of the next, by bin of
  // columns, and the bins with cells.
  std::vector<std::uint64_t> cells_in_;
  std::vector<MatrixCell*> next_cell_;
  std::vector<std::uint32_t> touched_;
};

// Adds `amount` in blocks of padding from the top left corner to the bottom right one; each block fills a row, a
// column or the amount. @pre the rows have `amount` slack or more in all, and so have the columns.
void add_padding(Blocks& blocks, std::uint32_t first_row, std::vector<std::uint64_t>& row_slack,
                 std::uint32_t first_column, std::vector<std::uint64_t>& column_slack, std::uint64_t amount) {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  while (amount > 0) {
    const std::uint64_t part = std::min({row_slack[row], column_slack[column], amount});
    if (part > 0) blocks[first_row + row].push_back({first_column + column, part, nullptr});
    amount -= part;
    column_slack[column] -= part;
    row_slack[row] -= part;
    if (row_slack[row] == 0) {
      ++row;
    } else {
      ++column;
    }
  }
}

// Raises and borders the merged matrix, of sum `total`, so that all lines sum to `rounds`.
// @pre total <= k * rounds.
void pad(MergedMatrix& merged, std::uint64_t total, std::uint64_t k, std::uint64_t rounds) {
  Blocks& blocks = merged.blocks();
  const auto rows = static_cast<std::uint32_t>(merged.row_slack().size());
  const auto columns = static_cast<std::uint32_t>(merged.column_slack().size());
  k = std::min({k, std::uint64_t{rows}, std::uint64_t{columns}});
  add_padding(blocks, 0, merged.row_slack(), 0, merged.column_slack(), k * rounds - total);

  std::vector<std::uint64_t> right(rows - k, rounds);
  add_padding(blocks, 0, merged.row_slack(), columns, right, right.size() * rounds);
  std::vector<std::uint64_t> below(columns - k, rounds);
  blocks.resize(rows + below.size());
  add_padding(blocks, rows, below, 0, merged.column_slack(), below.size() * rounds);
}

// A perfect matching of rows and columns over their blocks, repaired as blocks are used up.
class PerfectMatching {
 public:
  // @pre `blocks` is square, all its lines have the same sum.
  explicit PerfectMatching(Blocks& blocks)
      : blocks_(blocks),
        chosen_(blocks.size(), unmatched),
        row_of_(blocks.size(), unmatched),
        arrivals_(blocks.size()) {
    for (std::uint32_t row = 0; row < blocks.size(); ++row) free_.push_back(row);
  }

  // Gives every row its block.
  void complete() {
    for (std::uint32_t row : free_) augment(row);
    free_.clear();
  }

  // Calls visit(block) for the block of every row.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t row = 0; row < blocks_.size(); ++row) visit(blocks_[row][chosen_[row]]);
  }

  // Uses the block of every row in `rounds` rounds and drops the blocks that are used up.
  void use(std::uint64_t rounds) {
    for (std::uint32_t row = 0; row < blocks_.size(); ++row) {
      Block& block = blocks_[row][chosen_[row]];
      block.left -= rounds;
      if (block.next != nullptr) block.next += rounds;
      if (block.left == 0) drop(row);
    }
  }

 private:
  // The last step of a search to a column: the row and the number of its block.
  struct ColumnStep {
    std::uint32_t search = 0;
    std::uint32_t row = unmatched;
    std::uint32_t block = unmatched;
  };

  // Follows a shortest augmenting path from a free row, by breadth-first search. A path exists: otherwise the
  // rows reached would have their blocks in one column fewer, and line sums would differ.
  void augment(std::uint32_t start) {
    ++search_;
    reached_.assign(1, start);
    for (std::size_t i = 0;; ++i) {
      const std::uint32_t row = reached_[i];
      for (std::uint32_t b = 0; b < blocks_[row].size(); ++b) {
        const std::uint32_t column = blocks_[row][b].column;
        if (arrivals_[column].search == search_) continue;
        arrivals_[column] = {search_, row, b};
        if (row_of_[column] == unmatched) return flip(column);
        reached_.push_back(row_of_[column]);
      }
    }
  }

  // Shifts columns along the path: each row gets the column reached from it and frees its former one.
  void flip(std::uint32_t column) {
    while (column != unmatched) {
      const auto [search, row, block] = arrivals_[column];
      const std::uint32_t former = std::exchange(chosen_[row], block);
      row_of_[column] = row;
      column = former == unmatched ? unmatched : blocks_[row][former].column;
    }
  }

  void drop(std::uint32_t row) {
    Block& block = blocks_[row][chosen_[row]];
    row_of_[block.column] = unmatched;
    block = blocks_[row].back();
    blocks_[row].pop_back();
    chosen_[row] = unmatched;
    free_.push_back(row);
  }

  Blocks& blocks_;
  std::vector<std::uint32_t> chosen_;  // by row: the number of its block
  std::vector<std::uint32_t> row_of_;  // by column
  std::vector<std::uint32_t> free_;    // rows without a block
  std::vector<ColumnStep> arrivals_;   // by column
  std::vector<std::uint32_t> reached_;
  std::uint32_t search_ = 0;
};

// Adds all rounds that the matching serves; returns their number.
std::uint64_t add_rounds(const PerfectMatching& matching, Decomposition& result) {
  std::vector<const MatrixCell*> streams;
  std::uint64_t rounds = UINT64_MAX;
  matching.for_each([&](const Block& block) {
    rounds = std::min(rounds, block.left);
    if (block.next != nullptr) streams.push_back(block.next);
  });
  for (std::uint64_t t = 0; t < rounds; ++t) {
    if (t % 4096 == 0) check_interruption();
    for (const MatrixCell* stream : streams) result.add(stream[t]);
    result.close_round();
  }
  return rounds;
}

}  // namespace

void TaskMatrix::close_row() {
  check_interruption();  // rows may be millions
  row_ends_.push_back(entries_.size());
  largest_row_ = std::max(largest_row_, row_sum_);
  total_sum_ += std::exchange(row_sum_, 0);
}

std::uint64_t TaskMatrix::critical_sum() const {
  std::uint64_t result = largest_row_;
  for (std::uint64_t sum : column_sums_) result = std::max(result, sum);
  return result;
}

void TaskMatrix::refuse_column(std::uint32_t column) const {
  throw Error(fmt::format("column {} of a task matrix with {} columns: columns count from 0, one per port",
                          column, columns()));
}

std::uint64_t least_rounds(const TaskMatrix& matrix, std::uint32_t k) {
  const std::uint64_t total = matrix.total_sum();
  if (total == 0) return 0;
  if (k == 0) throw Error("0 ports per round: give 1 or more to clear a task matrix that is not 0");
  return std::max(matrix.critical_sum(), schedule::ceil_div(total, k));
}

Decomposition decompose(const TaskMatrix& matrix, std::uint32_t k) {
  const std::uint64_t rounds = least_rounds(matrix, k);
  const std::uint64_t total = matrix.total_sum();
  if (total > most_cells) {
    throw Error(
        fmt::format("a task matrix of total sum {}: at most 2^32 = {} cells are listed; leave out "
                    "rows, or divide all entries by a common factor",
                    total, most_cells));
  }
  Decomposition result;
  if (rounds == 0) return result;
  result.reserve(rounds, total);
  MergedMatrix merged(matrix, rounds);
  pad(merged, total, k, rounds);
  PerfectMatching matching(merged.blocks());
  while (result.size() < rounds) {
    matching.complete();
    matching.use(add_rounds(matching, result));
  }
  return result;
}

}  // namespace isotrope::algorithm
