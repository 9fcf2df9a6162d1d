// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/rotation_order.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::algorithm {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> order(std::uint32_t dimension) {
  std::vector<std::uint32_t> result;
  for_each_in_rotation_order(dimension, 1,
                             [&](std::uint32_t t, std::uint32_t, std::uint32_t) { result.push_back(t); });
  return result;
}

TEST(RotationOrder, is_that_of_the_paper) {
  EXPECT_THAT(order(3), ElementsAre(1, 2, 4, 3, 6, 5, 7));
  EXPECT_THAT(order(4), ElementsAre(1, 2, 4, 8, 3, 6, 12, 9, 5, 10, 13, 11, 7, 14, 15));
  EXPECT_THAT(order(5), ElementsAre(1, 2, 4, 8, 16, 3, 6, 12, 24, 17, 5, 10, 20, 9, 18, 7, 14, 28, 25, 19, 11,
                                    22, 13, 26, 21, 15, 30, 29, 27, 23, 31));
}

TEST(RotationClasses, are_all_least_rotations_with_their_periods) {
  for (std::uint32_t d = 1; d <= 16; ++d) {
    std::vector<std::uint32_t> expected;
    std::uint32_t strings = 0;
    for (std::uint32_t t = 1; t < std::uint32_t{1} << d; ++t) {
      bool least = true;
      for (std::uint32_t by = 1; by < d; ++by) least &= t <= rotate_left(t, by, d);
      if (least) expected.push_back(t);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](auto a, auto b) { return std::popcount(a) < std::popcount(b); });
    std::vector<std::uint32_t> found;
    for (const RotationClass rotations : rotation_classes(d)) {
      found.push_back(rotations.necklace);
      strings += rotations.period;
      std::set<std::uint32_t> members;
      for (std::uint32_t by = 0; by < d; ++by) members.insert(rotate_left(rotations.necklace, by, d));
      EXPECT_EQ(members.size(), rotations.period);
    }
    EXPECT_EQ(found, expected) << d;
    EXPECT_EQ(strings, (std::uint32_t{1} << d) - 1);
  }
}

TEST(RotationOrder, gives_every_string_and_part_a_leading_one_in_turn) {
  for (std::uint32_t d = 1; d <= 12; ++d) {
    for (std::uint32_t parts = 1; parts <= 5; ++parts) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
      std::uint32_t n = 0;
      for_each_in_rotation_order(d, parts, [&](std::uint32_t t, std::uint32_t m, std::uint32_t part) {
        EXPECT_EQ(m, n++ % d);
        EXPECT_EQ(t >> m & 1, 1u);
        seen.emplace(t, part);
      });
      EXPECT_EQ(seen.size(), ((std::size_t{1} << d) - 1) * parts);
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
