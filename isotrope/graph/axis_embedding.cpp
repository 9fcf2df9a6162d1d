// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/axis_embedding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "isotrope/network/product_axes.hpp"

#include "isotrope/graph/product_walks.hpp"

namespace isotrope::graph {
namespace {

using network::AxisShape;
using network::Coordinate;
using network::Node;
using network::ProductAxis;

// An axis of the machine, or half of a ring of 4: the coordinates of the square around which it runs.
struct MachineAxis {
  Coordinate extent;
  bool is_closed;
  std::uint32_t coordinate;  // of the group
};

// Largest first, alike ones beside each other; the halves of a ring of 4 are adjacent.
std::vector<MachineAxis> machine_axes(const std::vector<ProductAxis>& axes) {
  std::vector<MachineAxis> result;
  for (const ProductAxis& axis : axes) {
    const bool is_square = axis.shape == AxisShape::ring && axis.extent == 4;
    for (int half = 0; half < (is_square ? 2 : 1); ++half)
      result.push_back({is_square ? 2 : axis.extent, axis.shape != AxisShape::line, axis.coordinate});
  }
  std::ranges::stable_sort(result, [](const MachineAxis& a, const MachineAxis& b) {
    return std::pair(a.extent, a.is_closed) > std::pair(b.extent, b.is_closed);
  });
  return result;
}

// The nodes with the given coordinates along machine axes, by cell: the first axis slowest.
std::vector<Node> nodes_by_cell(const network::Group& group, const std::vector<MachineAxis>& axes) {
  constexpr std::array<Coordinate, 4> around{0, 1, 3, 2};  // by two bits, the corners of a square
  std::vector<Node> result(group.order());
  std::vector<Coordinate> coordinates(group.rank());
  for (Node cell = 0; cell < group.order(); ++cell) {
    std::ranges::fill(coordinates, 0);
    Node rest = cell;
    for (std::size_t i = axes.size(); i-- > 0; rest /= axes[i].extent)
      coordinates[axes[i].coordinate] = coordinates[axes[i].coordinate] * 2 + rest % axes[i].extent;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
      const bool is_square = std::ranges::count(axes, axis, &MachineAxis::coordinate) == 2;
      if (is_square) coordinates[axis] = around[coordinates[axis]];
    }
    result[cell] = group.number(coordinates);
  }
  return result;
}

// Place i of a ring along a path of `cells` cells: out over every second cell, and back over the others.
std::size_t folded(std::size_t i, std::size_t cells) {
  return 2 * i < cells ? 2 * i : 2 * (cells - i) - 1;
}

// How a grid axis lies along its machine axes, and the dilation of that.
struct LaidAxis {
  Walk cells;
  int dilation;
};

LaidAxis laid(const GridAxis& axis, std::span<const WalkedAxis> taken) {
  if (axis.is_periodic) {
    if (auto cycle = hamiltonian_cycle(taken)) return {*std::move(cycle), 1};
  }
  Walk path = hamiltonian_path(taken);
  if (!axis.is_periodic) return {std::move(path), 1};
  Walk ring;
  for (std::size_t i = 0; i < path.size(); ++i) ring.push_back(path[folded(i, path.size())]);
  return {std::move(ring), 2};
}

// Deals the machine axes out to the grid axes, in all ways that differ, until one has dilation 1.
class Dealing {
 public:
  Dealing(std::span<const GridAxis> grid, const std::vector<MachineAxis>& axes)
      : grid_(grid), axes_(axes), owner_(axes.size(), 0), walked_(axes.size()) {
    for (const GridAxis& axis : grid) left_.push_back(axis.extent);
    std::uint32_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0; stride *= axes[i].extent)
      walked_[i] = {axes[i].extent, stride, axes[i].is_closed};
  }

  // By grid axis; empty if there is no way.
  const std::vector<Walk>& best() {
    deal(0);
    return best_;
  }

 private:
  static constexpr std::uint64_t most_ways = 20'000;

  bool is_over() const { return best_dilation_ == 1 || ways_ >= most_ways; }

  // The axes from `index` on. Alike axes have ascending owners.
  void deal(std::size_t index) {
    if (is_over()) return;
    if (index == axes_.size()) return lay();
    const bool is_alike = index > 0 && axes_[index].extent == axes_[index - 1].extent &&
                          axes_[index].is_closed == axes_[index - 1].is_closed;
    for (std::size_t owner = is_alike ? owner_[index - 1] : 0; owner < grid_.size(); ++owner) {
      if (left_[owner] % axes_[index].extent != 0) continue;
      owner_[index] = owner;
      left_[owner] /= axes_[index].extent;
      deal(index + 1);
      left_[owner] *= axes_[index].extent;
    }
  }

  void lay() {
    ++ways_;
    std::vector<Walk> walks;
    int dilation = 1;
    for (std::size_t g = 0; g < grid_.size(); ++g) {
      std::vector<WalkedAxis> taken;
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (owner_[i] == g) taken.push_back(walked_[i]);
      }
      LaidAxis axis = laid(grid_[g], taken);
      dilation = std::max(dilation, axis.dilation);
      walks.push_back(std::move(axis.cells));
    }
    if (!best_.empty() && dilation >= best_dilation_) return;
    best_ = std::move(walks);
    best_dilation_ = dilation;
  }

  std::span<const GridAxis> grid_;
  const std::vector<MachineAxis>& axes_;
  std::vector<std::size_t> owner_;  // by machine axis
  std::vector<WalkedAxis> walked_;  // by machine axis
  std::vector<Coordinate> left_;    // by grid axis, what its machine axes have still to make up
  std::vector<Walk> best_;
  int best_dilation_ = 3;
  std::uint64_t ways_ = 0;
};

}  // namespace

std::optional<network::RankMap> embedding_by_axes(std::span<const GridAxis> grid,
                                                  const network::NamedNetwork& machine) {
  if (!machine.lacks.only_open_axes()) return std::nullopt;
  const auto product = network::product_axes(machine.network, machine.lacks.open_axes);
  if (!product) return std::nullopt;
  const std::vector<MachineAxis> axes = machine_axes(*product);
  const std::vector<Walk> walks = Dealing(grid, axes).best();
  if (walks.empty()) return std::nullopt;
  const std::vector<Node> nodes = nodes_by_cell(machine.network.group(), axes);
  std::vector<Node> by_rank;
  for (network::Rank rank = 0; rank < machine.network.order(); ++rank) {
    std::uint32_t cell = 0, rest = rank;
    for (std::size_t g = grid.size(); g-- > 0; rest /= grid[g].extent)
      cell += walks[g][rest % grid[g].extent];
    by_rank.push_back(nodes[cell]);
  }
  return network::RankMap(std::move(by_rank));
}

}  // namespace isotrope::graph
