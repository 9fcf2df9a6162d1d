// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/lattice_quotient.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

__extension__ using Wide = __int128;
using Matrix = std::vector<std::vector<std::int64_t>>;

constexpr std::size_t most_rows = 64;
// The difference of two products of such numbers fits 128 bits.
constexpr std::int64_t largest_minor = std::int64_t{1} << 62;

void require_square(const Matrix& basis) {
  if (basis.empty() || basis.size() > most_rows)
    throw Error(fmt::format("a lattice of {} basis rows: give 1 to {} rows", basis.size(), most_rows));
  for (const auto& row : basis) {
    if (row.size() != basis.size())
      throw Error(fmt::format("basis row {} has {} entries: give {} rows of {} entries each",
                              fmt::join(row, ","), row.size(), basis.size(), basis.size()));
  }
}

std::int64_t checked_minor(Wide value) {
  if (value > largest_minor || value < -largest_minor)
    throw Error("the entries of the lattice basis are too large: give a basis of shorter vectors");
  return static_cast<std::int64_t>(value);
}

// Fraction-free elimination (Bareiss): after step k the entries are minors of order k+1, so it is exact.
std::int64_t determinant_size(Matrix m) {
  for (const auto& row : m) std::ranges::for_each(row, checked_minor);
  std::int64_t previous = 1;
  for (std::size_t k = 0; k < m.size(); ++k) {
    for (std::size_t i = k; m[k][k] == 0 && i < m.size(); ++i) std::swap(m[k], m[i]);
    if (m[k][k] == 0) return 0;
    for (std::size_t i = k + 1; i < m.size(); ++i) {
      for (std::size_t j = k + 1; j < m.size(); ++j)
        m[i][j] = checked_minor((Wide{m[i][j]} * m[k][k] - Wide{m[i][k]} * m[k][j]) / previous);
    }
    previous = m[k][k];
  }
  return std::abs(previous);
}

std::int64_t checked_order(const Matrix& basis) {
  require_square(basis);
  const std::int64_t order = determinant_size(basis);
  if (order == 0) throw Error("the rows of the lattice basis are dependent: give independent rows");
  if (order > static_cast<std::int64_t>(largest_order))
    throw Error(fmt::format("the lattice basis has determinant {}: a network has at most 2^26 = {} nodes",
                            order, largest_order));
  return order;
}

// The lattice basis above, the column transform below it; column operations go through both.
class SmithForm {
 public:
  SmithForm(const Matrix& basis, std::int64_t modulus)
      : rank_(basis.size()), modulus_(modulus), rows_(basis) {
    for (auto& row : rows_) {
      for (std::int64_t& entry : row) entry = reduced(entry);
    }
    for (std::size_t i = 0; i < rank_; ++i) rows_.emplace_back(rank_, 0)[i] = reduced(1);
    for (std::size_t k = 0; k < rank_; ++k) {
      while (move_least_to(k) && !clear_around(k)) continue;
    }
  }

  std::int64_t divisor(std::size_t k) const { return std::gcd(rows_[k][k], modulus_); }
  std::int64_t transform(std::size_t i, std::size_t k) const { return rows_[rank_ + i][k]; }

 private:
  std::int64_t reduced(std::int64_t entry) const { return (entry % modulus_ + modulus_) % modulus_; }

  void subtract_row(std::size_t from, std::int64_t factor, std::size_t row) {
    for (std::size_t j = 0; j < rank_; ++j) rows_[from][j] = reduced(rows_[from][j] - factor * rows_[row][j]);
  }

  void subtract_column(std::size_t from, std::int64_t factor, std::size_t column) {
    for (auto& row : rows_) row[from] = reduced(row[from] - factor * row[column]);
  }

  // Brings the least entry that is not 0, of those at and beyond (k, k), to (k, k). False if all are 0.
  bool move_least_to(std::size_t k) {
    std::optional<std::pair<std::size_t, std::size_t>> least;
    for (std::size_t i = k; i < rank_; ++i) {
      for (std::size_t j = k; j < rank_; ++j) {
        if (rows_[i][j] == 0) continue;
        if (!least || rows_[i][j] < rows_[least->first][least->second]) least = {i, j};
      }
    }
    if (!least) return false;
    std::swap(rows_[k], rows_[least->first]);
    for (auto& row : rows_) std::swap(row[k], row[least->second]);
    return true;
  }

  // Divides row and column k by the entry (k, k). True if they became 0 and the entry divides all that is
  // left; otherwise a smaller entry stands somewhere.
  bool clear_around(std::size_t k) {
    const std::int64_t pivot = rows_[k][k];
    for (std::size_t i = k + 1; i < rank_; ++i) subtract_row(i, rows_[i][k] / pivot, k);
    for (std::size_t j = k + 1; j < rank_; ++j) subtract_column(j, rows_[k][j] / pivot, k);
    for (std::size_t i = k + 1; i < rank_; ++i) {
      if (rows_[i][k] != 0 || rows_[k][i] != 0) return false;
    }
    for (std::size_t i = k + 1; i < rank_; ++i) {
      const auto divides = [&](std::int64_t entry) { return entry % divisor(k) == 0; };
      if (std::ranges::all_of(rows_[i], divides)) continue;
      subtract_row(k, -1, i);
      return false;
    }
    return true;
  }

  std::size_t rank_;
  std::int64_t modulus_;
  Matrix rows_;
};

}  // namespace

LatticeQuotient lattice_quotient(const std::vector<std::vector<std::int64_t>>& basis) {
  const std::int64_t order = checked_order(basis);
  const SmithForm smith(basis, order);
  std::vector<std::size_t> kept;
  std::vector<Coordinate> moduli;
  for (std::size_t k = 0; k < basis.size(); ++k) {
    if (smith.divisor(k) == 1) continue;
    kept.push_back(k);
    moduli.push_back(static_cast<Coordinate>(smith.divisor(k)));
  }
  if (moduli.empty()) return {Group({1}), std::vector<Node>(basis.size(), 0)};
  LatticeQuotient quotient{Group(std::move(moduli)), {}};
  for (std::size_t i = 0; i < basis.size(); ++i) {
    std::vector<Coordinate> coordinates;
    for (std::size_t k : kept)
      coordinates.push_back(static_cast<Coordinate>(smith.transform(i, k) % smith.divisor(k)));
    quotient.unit_vectors.push_back(quotient.group.number(coordinates));
  }
  return quotient;
}

}  // namespace isotrope::network
