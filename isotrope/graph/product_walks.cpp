// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/product_walks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "isotrope/graph/grid_cycle.hpp"

namespace isotrope::graph {
namespace {

// The axes without one of them.
std::vector<WalkedAxis> without(std::span<const WalkedAxis> axes, std::size_t index) {
  std::vector<WalkedAxis> result(axes.begin(), axes.end());
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(index));
  return result;
}

Walk ring(const WalkedAxis& axis) {
  Walk cells;
  for (std::uint32_t i = 0; i < axis.extent; ++i) cells.push_back(i * axis.stride);
  return cells;
}

// The cycle of the product of a cycle and an axis.
Walk extended(const Walk& cycle, const WalkedAxis& axis) {
  Walk cells;
  visit_grid(axis.extent, cycle.size(), [&](GridCell at) {
    cells.push_back(cycle[at.column] + static_cast<std::uint32_t>(at.row) * axis.stride);
  });
  return cells;
}

// The cycle of a path, of two cells or more, and an even axis.
Walk along_even_axis(const Walk& path, const WalkedAxis& axis) {
  Walk cells{path.front()};
  for (std::uint32_t row = 0; row < axis.extent; ++row) {
    for (std::size_t i = 1; i < path.size(); ++i)
      cells.push_back(path[row % 2 == 0 ? i : path.size() - i] + row * axis.stride);
  }
  for (std::uint32_t row = axis.extent - 1; row > 0; --row) cells.push_back(path.front() + row * axis.stride);
  return cells;
}

}  // namespace

Walk hamiltonian_path(std::span<const WalkedAxis> axes) {
  Walk cells{0};
  for (const WalkedAxis& axis : axes) {
    const Walk row = std::move(cells);
    cells.clear();
    for (std::uint32_t i = 0; i < axis.extent; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k)
        cells.push_back(row[i % 2 == 0 ? k : row.size() - 1 - k] + i * axis.stride);
    }
  }
  return cells;
}

std::optional<Walk> hamiltonian_cycle(std::span<const WalkedAxis> axes) {
  if (axes.empty() || (axes.size() == 1 && axes.front().extent == 2)) return hamiltonian_path(axes);
  const auto closed =
      std::ranges::find_if(axes, [](const WalkedAxis& axis) { return axis.is_closed && axis.extent >= 3; });
  if (closed != axes.end()) {
    Walk cycle = ring(*closed);
    for (const WalkedAxis& axis : without(axes, static_cast<std::size_t>(closed - axes.begin())))
      cycle = extended(cycle, axis);
    return cycle;
  }
  const auto even = std::ranges::find_if(axes, [](const WalkedAxis& axis) { return axis.extent % 2 == 0; });
  if (even == axes.end() || axes.size() == 1) return std::nullopt;
  const std::vector<WalkedAxis> others = without(axes, static_cast<std::size_t>(even - axes.begin()));
  return along_even_axis(hamiltonian_path(others), *even);
}

}  // namespace isotrope::graph
