// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/subgroup.hpp"

#include <utility>
#include <vector>

namespace isotrope::network {
namespace {

using Row = std::vector<std::int64_t>;

// The lattice over a subgroup, as an upper triangular basis with a positive diagonal.
class Lattice {
 public:
  explicit Lattice(std::span<const Coordinate> moduli) : moduli_(moduli.begin(), moduli.end()) {
    for (std::size_t i = 0; i < moduli_.size(); ++i) {
      rows_.emplace_back(moduli_.size(), 0)[i] = moduli_[i];
      index_ *= moduli_[i];
    }
  }

  std::int64_t index() const { return index_; }

  void insert(Row element) {
    for (std::size_t i = 0; i < moduli_.size(); ++i) {
      index_ /= rows_[i][i];
      while (element[i] != 0) {
        subtract(rows_[i], rows_[i][i] / element[i], element, i);
        std::swap(rows_[i], element);
      }
      index_ *= rows_[i][i];
    }
  }

 private:
  // row -= factor * other, from column `pivot` on. The diagonal is kept as it is: reduced, a modulus would vanish.
  void subtract(Row& row, std::int64_t factor, const Row& other, std::size_t pivot) const {
    row[pivot] -= factor * other[pivot];
    for (std::size_t j = pivot + 1; j < row.size(); ++j)
      row[j] = (row[j] - factor * other[j] % moduli_[j] + moduli_[j]) % moduli_[j];
  }

  Row moduli_;
  std::vector<Row> rows_;
  std::int64_t index_ = 1;
};

}  // namespace

Node subgroup_index(const Group& group, std::span<const Node> elements) {
  Lattice lattice(group.moduli());
  for (Node element : elements) {
    if (lattice.index() == 1) break;
    const std::vector<Coordinate> coordinates = group.coordinates(element);
    lattice.insert(Row(coordinates.begin(), coordinates.end()));
  }
  return static_cast<Node>(lattice.index());
}

}  // namespace isotrope::network
