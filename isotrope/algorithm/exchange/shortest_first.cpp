// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/shortest_first.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::algorithm {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// A row that takes part.
struct Active {
  std::uint32_t row;
  std::uint32_t left;    // sum of its entries
  std::uint32_t rank;    // random, breaks ties
  std::uint32_t chosen;  // the entry of this round, or none
  std::vector<TaskMatrix::Entry> entries;

  std::uint32_t column() const { return chosen == none ? none : entries[chosen].column; }
  std::uint32_t entry_of(std::uint32_t column) const {
    for (std::uint32_t e = 0; e < entries.size(); ++e) {
      if (entries[e].column == column) return e;
    }
    return none;
  }
};

class ShortestFirst {
 public:
  ShortestFirst(const TaskMatrix& matrix, std::uint32_t seed)
      : matrix_(matrix),
        random_(seed),
        order_(matrix.rows()),
        sums_(matrix.rows(), 0),
        column_left_(matrix.column_sums().begin(), matrix.column_sums().end()),
        row_in_(matrix.columns()),
        arrivals_(matrix.columns()),
        rounds_left_(matrix.critical_sum()) {
    for (std::uint64_t row = 0; row < matrix.rows(); ++row) {
      for (const auto [column, count] : matrix.row(row)) sums_[row] += count;
    }
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return sums_[a] < sums_[b]; });
    begin_ = static_cast<std::uint64_t>(std::count(sums_.begin(), sums_.end(), 0u));
    end_ = order_.size();
    result_.reserve(rounds_left_, matrix.total_sum());
  }

  Decomposition rounds() && {
    while (rounds_left_ > 0) {
      let_in();
      match_rows();
      while (!match_columns()) let_in_one_more();
      take();
      --rounds_left_;
    }
    return std::move(result_);
  }

 private:
  // The last step of a search to a column: the row that takes part and its entry.
  struct CriticalStep {
    std::uint64_t search = 0;
    std::uint32_t from = none;
    std::uint32_t entry = none;
  };

  // Admits rows that become critical, and the shortest, until there are enough.
  void let_in() {
    while (end_ > begin_ && sums_[order_[end_ - 1]] >= rounds_left_) let_in(order_[--end_]);
    while (end_ > begin_ && active_.size() < 4 * std::size_t{matrix_.columns()}) let_in(order_[begin_++]);
    for (Active& active : active_) active.rank = static_cast<std::uint32_t>(random_());
    std::sort(active_.begin(), active_.end(), [this](const Active& a, const Active& b) {
      const auto key = [this](const Active& active) {
        return std::tuple(active.left != rounds_left_, active.left, active.rank);
      };
      return key(a) < key(b);
    });
  }

  void let_in(std::uint32_t row) {
    const auto entries = matrix_.row(row);
    active_.push_back({row, sums_[row], 0, none, {entries.begin(), entries.end()}});
  }

  void match_rows() {
    std::fill(row_in_.begin(), row_in_.end(), none);
    for (Active& active : active_) active.chosen = none;
    matched_ = 0;
    ++search_;
    for (std::uint32_t i = 0; i < active_.size() && matched_ < row_in_.size(); ++i) match_row(i);
  }

  // Columns reached in vain lead nowhere in this round any more, so a failed search leaves its marks to the next.
  void match_row(std::uint32_t start) {
    reached_.assign(1, start);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const std::uint32_t at = reached_[i];
      const auto& entries = active_[at].entries;
      for (std::uint32_t e = 0; e < entries.size(); ++e) {
        const std::uint32_t column = entries[e].column;
        if (arrivals_[column].search == search_) continue;
        arrivals_[column] = {search_, at, e};
        if (row_in_[column] == none) return flip(column);
        reached_.push_back(row_in_[column]);
      }
    }
  }

  // Shifts columns along the path: each row gets the column reached from it and frees its former one.
  void flip(std::uint32_t column) {
    while (column != none) {
      const auto [search, row, entry] = arrivals_[column];
      row_in_[column] = row;
      column = active_[row].column();
      active_[row].chosen = entry;
    }
    ++matched_;
    ++search_;
  }

  void let_in_one_more() {
    let_in(order_[begin_++]);
    ++search_;
    match_row(static_cast<std::uint32_t>(active_.size()) - 1);
  }

  // Returns false if a critical column stays free.
  bool match_columns() {
    if (matched_ == row_in_.size()) return true;
    for (std::uint32_t column = 0; column < row_in_.size(); ++column) {
      if (row_in_[column] == none && is_critical(column) && !match_column(column)) return false;
    }
    return true;
  }

  bool is_critical(std::uint32_t column) const { return column_left_[column] == rounds_left_; }

  // Searches, from the rows that can use column `start`, for a row without a column or with one that is not
  // critical, over chains of rows that change columns.
  bool match_column(std::uint32_t start) {
    ++search_;
    arrivals_[start].search = search_;
    reached_.assign(1, start);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (std::uint32_t row = 0; row < active_.size(); ++row) {
        const std::uint32_t entry = active_[row].entry_of(reached_[i]);
        if (entry == none) continue;
        const std::uint32_t former = active_[row].column();
        if (former == none || !is_critical(former)) {
          hand_on(start, former, row, entry);
          return true;
        }
        if (arrivals_[former].search == search_) continue;
        arrivals_[former] = {search_, row, entry};
        reached_.push_back(former);
      }
    }
    return false;
  }

  // Moves `row` from its former column to that of `entry`, the row of that column on along the chain, up to `start`.
  void hand_on(std::uint32_t start, std::uint32_t former, std::uint32_t row, std::uint32_t entry) {
    if (former == none) {
      ++matched_;
    } else {
      row_in_[former] = none;
    }
    for (;;) {
      active_[row].chosen = entry;
      const std::uint32_t column = active_[row].column();
      row_in_[column] = row;
      if (column == start) return;
      row = arrivals_[column].from;
      entry = arrivals_[column].entry;
    }
  }

  void take() {
    for (Active& active : active_) {
      if (active.chosen == none) continue;
      auto& entry = active.entries[active.chosen];
      result_.add({active.row, entry.column});
      --column_left_[entry.column];
      --active.left;
      if (--entry.count > 0) continue;
      entry = active.entries.back();
      active.entries.pop_back();
    }
    result_.close_round();
    std::erase_if(active_, [](const Active& active) { return active.left == 0; });
  }

  const TaskMatrix& matrix_;
  std::minstd_rand random_;
  std::vector<std::uint32_t> order_;  // the rows by sum; those in [begin_, end_) do not take part yet
  std::uint64_t begin_ = 0, end_ = 0;
  std::vector<std::uint32_t> sums_;  // of the rows
  std::vector<std::uint64_t> column_left_;
  std::vector<Active> active_;
  std::vector<std::uint32_t> row_in_;   // by column: an index of active_, or none
  std::size_t matched_ = 0;             // columns with a row
  std::vector<CriticalStep> arrivals_;  // by column
  std::vector<std::uint32_t> reached_;
  std::uint64_t search_ = 0;
  std::uint64_t rounds_left_;
  Decomposition result_;
};

}  // namespace

Decomposition shortest_first(const TaskMatrix& matrix, std::uint32_t seed) {
  if (matrix.total_sum() > most_cells) {
    throw Error(fmt::format("a task matrix of sum {}: at most 2^32 hops are listed", matrix.total_sum()));
  }
  return ShortestFirst(matrix, seed).rounds();
}

}  // namespace isotrope::algorithm
