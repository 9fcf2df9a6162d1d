// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/equitable_rounds.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::algorithm {
namespace {

constexpr std::uint64_t most_places = std::uint64_t{1} << 31;
constexpr std::uint64_t most_trails_per_excess = 8;

std::uint32_t sum_of(std::span<const TaskMatrix::Entry> row) {
  std::uint32_t sum = 0;
  for (const auto [column, count] : row) sum += count;
  return sum;
}

// The column that every row uses in every round, or none: the places of a row.
class Colouring {
 public:
  Colouring(const TaskMatrix& matrix, std::uint32_t rounds)
      : matrix_(matrix),
        rounds_(rounds),
        empty_(matrix.columns()),
        columns_(matrix.rows() * rounds, empty_),
        loads_(std::size_t{matrix.columns()} * rounds, 0),
        room_(rounds) {
    most_ = *std::ranges::max_element(matrix.column_sums());
    for (std::uint32_t t = 0; t < rounds; ++t) room_[t] = most_ / rounds + (t < most_ % rounds ? 1 : 0);
  }

  void run() {
    start();
    std::uint64_t excess = 0;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const std::uint64_t room = room_[i % rounds_];
      excess += loads_[i] > room ? loads_[i] - room : 0;
    }
    if (excess == 0) return;
    list_rows();
    repair(most_trails_per_excess * excess);
    std::ranges::fill(room_, schedule::ceil_div(most_, rounds_));
    repair(UINT64_MAX);
  }

  Decomposition result() const {
    Decomposition result;
    result.reserve(rounds_, matrix_.total_sum());
    for (std::uint32_t t = 0; t < rounds_; ++t) {
      for (std::uint32_t row = 0; row < matrix_.rows(); ++row) {
        if (const std::uint32_t column = columns_[place(row, t)]; column != empty_) result.add({row, column});
      }
      result.close_round();
    }
    return result;
  }

 private:
  std::size_t place(std::uint32_t row, std::uint32_t round) const {
    return std::size_t{row} * rounds_ + round;
  }
  std::uint64_t& load(std::uint32_t column, std::uint32_t round) {
    return loads_[std::size_t{column} * rounds_ + round];
  }

  // Rows by descending sum, because longer rows have less choice.
  std::vector<std::uint32_t> longest_first() const {
    std::vector<std::size_t> begins(std::size_t{rounds_} + 2, 0);
    for (std::uint32_t row = 0; row < matrix_.rows(); ++row) ++begins[rounds_ - sum_of(matrix_.row(row)) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> rows(matrix_.rows());
    for (std::uint32_t row = 0; row < matrix_.rows(); ++row)
      rows[begins[rounds_ - sum_of(matrix_.row(row))]++] = row;
    return rows;
  }

  void start() {
    std::vector<std::uint32_t> free(rounds_);
    for (const std::uint32_t row : longest_first()) {
      std::iota(free.begin(), free.end(), 0U);
      auto next = free.begin();
      for (const auto [column, count] : matrix_.row(row)) {
        const auto end = next + count;
        if (end < free.end()) {
          std::nth_element(next, end, free.end(), [&, c = column](std::uint32_t a, std::uint32_t b) {
            const std::uint64_t with_a = load(c, a) + room_[b], with_b = load(c, b) + room_[a];
            return with_a != with_b ? with_a < with_b : a < b;
          });
        }
        for (; next < end; ++next) {
          columns_[place(row, *next)] = column;
          ++load(column, *next);
        }
      }
    }
  }

  // The anchor of the ring through all places of a column in a round; an anchor is no place.
  std::size_t anchor(std::uint32_t column, std::uint32_t round) const {
    return columns_.size() + std::size_t{column} * rounds_ + round;
  }

  void list_rows() {
    after_.resize(columns_.size() + loads_.size());
    before_.resize(after_.size());
    std::iota(after_.begin(), after_.end(), 0U);
    std::iota(before_.begin(), before_.end(), 0U);
    used_in_.assign(matrix_.rows(), 0);
    for (std::uint32_t row = 0; row < matrix_.rows(); ++row) {
      for (std::uint32_t t = 0; t < rounds_; ++t) append(row, t);
    }
  }

  void append(std::uint32_t row, std::uint32_t round) {
    const auto at = place(row, round);
    if (columns_[at] == empty_) return;
    const auto ring = anchor(columns_[at], round);
    const std::uint32_t last = before_[ring];
    after_[last] = before_[ring] = static_cast<std::uint32_t>(at);
    before_[at] = last;
    after_[at] = static_cast<std::uint32_t>(ring);
  }

  void remove(std::uint32_t row, std::uint32_t round) {
    const auto at = place(row, round);
    if (columns_[at] == empty_) return;
    after_[before_[at]] = after_[at];
    before_[after_[at]] = before_[at];
  }

  void exchange(std::uint32_t row, std::uint32_t t, std::uint32_t s) {
    remove(row, t);
    remove(row, s);
    std::uint32_t &in_t = columns_[place(row, t)], &in_s = columns_[place(row, s)];
    std::swap(in_t, in_s);
    if (in_t != empty_) {
      ++load(in_t, t);
      --load(in_t, s);
    }
    if (in_s != empty_) {
      ++load(in_s, s);
      --load(in_s, t);
    }
    append(row, t);
    append(row, s);
  }

  // Moves one use of `column` from round t to round s and repairs the columns that this overloads. Changed rows
  // are the last of their rings, so if the first has changed, all have.
  void follow_trail(std::uint32_t column, std::uint32_t t, std::uint32_t s) {
    ++trail_;
    for (;;) {
      const std::uint32_t row = after_[anchor(column, t)] / rounds_;
      if (used_in_[row] == trail_) return;
      used_in_[row] = trail_;
      column = columns_[place(row, s)];
      exchange(row, t, s);
      if (column == empty_ || load(column, t) <= room_[t] || load(column, s) >= room_[s]) return;
    }
  }

  // A round with room, another from trail to trail if possible, so that repairs do not go in circles.
  std::uint32_t round_with_room(std::uint32_t column) {
    auto t = static_cast<std::uint32_t>(trail_ % rounds_);
    while (load(column, t) >= room_[t]) t = t + 1 == rounds_ ? 0 : t + 1;
    return t;
  }

  void repair(std::uint64_t most_trails) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t column = 0; column < matrix_.columns(); ++column) {
        for (std::uint32_t t = 0; t < rounds_; ++t) {
          while (load(column, t) > room_[t]) {
            if (most_trails-- == 0) return;
            follow_trail(column, t, round_with_room(column));
            changed = true;
          }
        }
      }
    }
  }

  const TaskMatrix& matrix_;
  std::uint32_t rounds_;
  std::uint32_t empty_;                 // stands for no column
  std::vector<std::uint32_t> columns_;  // by row, then round
  std::vector<std::uint64_t> loads_;    // by column, then round
  std::vector<std::uint64_t> room_;     // by round: the most uses of a column
  std::uint64_t most_ = 0;              // the largest sum of a column
  // Rings of places; the anchors stand after all places.
  std::vector<std::uint32_t> after_, before_;
  std::vector<std::uint64_t> used_in_;  // by row: the last trail that changed it
  std::uint64_t trail_ = 0;
};

}  // namespace

Decomposition equitable_rounds(const TaskMatrix& matrix, std::uint32_t rounds) {
  if (rounds == 0 || matrix.total_sum() == 0) {
    Decomposition idle;
    for (std::uint32_t t = 0; t < rounds; ++t) idle.close_round();
    return idle;
  }
  if (matrix.rows() > most_places / rounds || matrix.columns() > most_places / rounds) {
    throw Error(
        fmt::format("{} packets in {} rounds are too many to spread evenly: their product may be 2^31 at "
                    "most; give fewer parts",
                    matrix.rows(), rounds));
  }
  Colouring colouring(matrix, rounds);
  colouring.run();
  return colouring.result();
}

}  // namespace isotrope::algorithm
