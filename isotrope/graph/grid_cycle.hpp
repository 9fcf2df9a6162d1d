// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A Hamiltonian cycle of a grid whose rows are cycles, and whose neighbouring rows are joined: r rows of m cells.
//
//     m even           columns down and up in turn              1 4 5 8       (m = 4, r = 2)
//                                                               2 3 6 7
//     m odd, r even    the first column up, the others by rows  1 2 3         (m = 3, r = 2)
//                                                               6 5 4
//     m odd, r odd     m - 3 columns down and up, then down the next one, and back up the last two by rows:
//                                                               1 8 9         (m = 3, r = 3)
//                                                               2 7 6
//                                                               3 4 5
#pragma once

#include <cstddef>

namespace isotrope::graph {

/// A cell of the grid.
struct GridCell {
  std::size_t row, column;
};

// Visits columns first..last-1 of `rows` rows, the first of them downwards, the next one upwards, and so on.
template <class Visit>
void visit_columns(std::size_t rows, std::size_t first, std::size_t last, Visit visit) {
  for (std::size_t column = first; column < last; ++column) {
    const bool down = (column - first) % 2 == 0;
    for (std::size_t i = 0; i < rows; ++i) visit(GridCell{down ? i : rows - 1 - i, column});
  }
}

// Visits columns first..last-1, at least 2, row by row upwards; the bottom row is visited to the right.
template <class Visit>
void visit_rows_upwards(std::size_t rows, std::size_t first, std::size_t last, Visit visit) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = first; k < last; ++k)
      visit(GridCell{rows - 1 - i, i % 2 == 0 ? k : first + last - 1 - k});
  }
}

/// Visits a grid of closed rows along a Hamiltonian cycle. @pre rows >= 2, columns >= 2.
template <class Visit>
void visit_grid(std::size_t rows, std::size_t columns, Visit visit) {
  if (columns % 2 == 0) return visit_columns(rows, 0, columns, visit);
  if (rows % 2 == 0) {
    visit_columns(rows, 0, 1, visit);
    return visit_rows_upwards(rows, 1, columns, visit);
  }
  visit_columns(rows, 0, columns - 2, visit);
  visit_rows_upwards(rows, columns - 2, columns, visit);
}

}  // namespace isotrope::graph
