// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/product_walks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::graph {
namespace {

using testing::ElementsAre;

std::vector<WalkedAxis> axes_of(const std::vector<std::uint32_t>& extents, unsigned closed) {
  std::vector<WalkedAxis> axes;
  std::uint32_t stride = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    axes.push_back({extents[i], stride, (closed >> i & 1U) != 0});
    stride *= extents[i];
  }
  return axes;
}

bool is_next(const std::vector<WalkedAxis>& axes, std::uint32_t a, std::uint32_t b) {
  std::uint32_t steps = 0;
  for (const WalkedAxis& axis : axes) {
    const std::uint32_t x = a / axis.stride % axis.extent, y = b / axis.stride % axis.extent;
    const std::uint32_t apart = std::max(x, y) - std::min(x, y);
    steps += axis.is_closed ? std::min(apart, axis.extent - apart) : apart;
  }
  return steps == 1;
}

void expect_walk(const std::vector<WalkedAxis>& axes, const Walk& walk, bool is_cycle) {
  std::uint32_t cells = 1;
  for (const WalkedAxis& axis : axes) cells *= axis.extent;
  EXPECT_EQ(walk.size(), cells);
  EXPECT_EQ(std::set(walk.begin(), walk.end()).size(), cells);
  EXPECT_EQ(walk.front(), 0U);
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) EXPECT_TRUE(is_next(axes, walk[i], walk[i + 1]));
  EXPECT_TRUE(!is_cycle || cells == 1 || is_next(axes, walk.back(), walk.front()));
}

TEST(ProductWalks, of_a_small_mesh) {
  const auto mesh = axes_of({3, 2}, 0);
  EXPECT_THAT(hamiltonian_path(mesh), ElementsAre(0, 1, 2, 5, 4, 3));
  EXPECT_THAT(*hamiltonian_cycle(mesh), ElementsAre(0, 1, 2, 5, 4, 3));
  EXPECT_THAT(hamiltonian_path({}), ElementsAre(0));
}

// A cycle of a product of odd lines would have an odd number of cells of alternating colours.
TEST(ProductWalks, visit_every_cell_once) {
  for (const std::vector<std::uint32_t>& extents : std::vector<std::vector<std::uint32_t>>{{2},
                                                                                           {3},
                                                                                           {8},
                                                                                           {2, 2},
                                                                                           {3, 3},
                                                                                           {2, 5},
                                                                                           {4, 6},
                                                                                           {5, 3},
                                                                                           {3, 3, 3},
                                                                                           {2, 3, 5},
                                                                                           {4, 3, 3},
                                                                                           {2, 2, 2, 2}}) {
    for (unsigned closed = 0; closed < 1U << extents.size(); ++closed) {
      SCOPED_TRACE(fmt::format("{} axes from {}, closed {}", extents.size(), extents.front(), closed));
      const auto axes = axes_of(extents, closed);
      expect_walk(axes, hamiltonian_path(axes), false);
      const auto cycle = hamiltonian_cycle(axes);
      const bool has_ring = std::ranges::any_of(
          axes, [](const WalkedAxis& axis) { return axis.is_closed && axis.extent >= 3; });
      const bool has_even =
          std::ranges::any_of(extents, [](std::uint32_t extent) { return extent % 2 == 0; });
      const bool is_link = extents == std::vector<std::uint32_t>{2};
      EXPECT_EQ(cycle.has_value(), has_ring || is_link || (has_even && extents.size() > 1));
      if (cycle) expect_walk(axes, *cycle, true);
    }
  }
}

}  // namespace
}  // namespace isotrope::graph
