// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/hamiltonian_cycle.hpp"

#include <cstddef>
#include <utility>

namespace isotrope::graph {
namespace {

using network::Node;

// A cell of the grid.
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

// Visits a grid of closed rows along a Hamiltonian cycle. @pre rows >= 2, columns >= 2.
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

// The cycle of the subgroup of `cycle` extended by the generator.
std::vector<Node> extended(const network::Group& group, const std::vector<Node>& cycle,
                           std::vector<bool>& covered, Node generator) {
  std::vector<Node> shifts{0};  // one per coset
  for (Node shift = generator; !covered[shift]; shift = group.add(shift, generator)) shifts.push_back(shift);
  if (shifts.size() == 1) return cycle;
  std::vector<Node> result;
  result.reserve(cycle.size() * shifts.size());
  if (cycle.size() == 1) {
    result = std::move(shifts);
  } else {
    visit_grid(shifts.size(), cycle.size(),
               [&](GridCell at) { result.push_back(group.add(cycle[at.column], shifts[at.row])); });
  }
  for (const Node node : result) covered[node] = true;
  return result;
}

}  // namespace

std::vector<Node> hamiltonian_cycle(const network::Network& network) {
  std::vector<Node> cycle{0};
  std::vector<bool> covered(network.order(), false);
  covered[0] = true;
  for (const Node generator : network.generators())
    cycle = extended(network.group(), cycle, covered, generator);
  return cycle;
}

}  // namespace isotrope::graph
