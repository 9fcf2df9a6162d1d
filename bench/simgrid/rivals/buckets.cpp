// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid/rivals/buckets.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace judge::rivals {

namespace {

// The ranks that have the coordinates of `rank` on the axes `done`, and `value` on `axis`.
std::vector<int> group(const Grid& grid, int rank, const std::vector<int>& done, int axis, int value) {
  const int wanted = grid.moved(rank, axis, value);
  std::vector<int> result;
  for (int each = 0; each < grid.size(); ++each) {
    const bool inside = grid.coordinate(each, axis) == grid.coordinate(wanted, axis) &&
                        std::all_of(done.begin(), done.end(), [&](int other) {
                          return grid.coordinate(each, other) == grid.coordinate(rank, other);
                        });
    if (inside) result.push_back(each);
  }
  return result;
}

void renumber(std::vector<int>& blocks, const std::vector<int>& names) {
  for (int& block : blocks) block = names[static_cast<std::size_t>(block)];
}

}  // namespace

Chain bucket_reduce_scatter(const Grid& grid, int first_axis, int direction, int rank) {
  Chain chain;
  std::vector<int> done;
  for (int turn = 0; turn < grid.axes(); ++turn) {
    const int axis = (first_axis + turn) % grid.axes(), own = grid.coordinate(rank, axis);
    const int next = grid.moved(rank, axis, own + direction), last = grid.moved(rank, axis, own - direction);
    for (int step = 0; step + 1 < grid.extent(axis); ++step) {
      const auto blocks = [&](int behind) { return group(grid, rank, done, axis, own - behind * direction); };
      chain.push_back({{{next, blocks(step + 1)}}, {{last, blocks(step + 2), true}}});
    }
    done.push_back(axis);
  }
  return chain;
}

Chain ring_reduce_scatter(const Grid& grid, int direction, int rank) {
  const std::vector<int> ranks = snake(grid);
  const auto place = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  Chain chain = bucket_reduce_scatter(Grid({grid.size()}), 0, direction, place);
  for (Step& step : chain) {
    for (Send& each : step.sends) {
      each.to = ranks[static_cast<std::size_t>(each.to)];
      renumber(each.blocks, ranks);
    }
    for (Receive& each : step.receives) {
      each.from = ranks[static_cast<std::size_t>(each.from)];
      renumber(each.blocks, ranks);
    }
  }
  return chain;
}

}  // namespace judge::rivals
