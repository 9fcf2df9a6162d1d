// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/units.hpp"

#include <gtest/gtest.h>

namespace isotrope::rank {
namespace {

// floor(p 10 / 4) = 0, 2, 5, 7; the next block begins at 10.
TEST(Units, of_blocks) {
  const Units units = Units::of_blocks(10, 4);
  EXPECT_EQ(units.begin(0), 0U);
  EXPECT_EQ(units.begin(1), 2U);
  EXPECT_EQ(units.begin(2), 5U);
  EXPECT_EQ(units.begin(3), 7U);
  EXPECT_EQ(units.begin(4), 10U);
  EXPECT_EQ(units.begin(5), 12U);
  EXPECT_EQ(units.elements(1, 4), 10U);
  EXPECT_EQ(units.largest(), 3U);
  EXPECT_EQ(units.of_whole_blocks(3), 30U);
}

// 10 elements in 2 blocks of 3 parts: floor(q 10 / 6) = 0, 1, 3, 5, 6, 8, and 10 at the end.
TEST(Units, of_a_vector) {
  const Units units = Units::of_vector(10, 2, 3);
  EXPECT_EQ(units.begin(2), 3U);
  EXPECT_EQ(units.begin(3), 5U);
  EXPECT_EQ(units.begin(6), 10U);
  EXPECT_EQ(units.largest(), 2U);
  EXPECT_EQ(units.of_whole_blocks(2), 10U);
}

TEST(Units, of_nothing_are_empty) {
  EXPECT_EQ(Units::of_blocks(0, 3).elements(0, 6), 0U);
  EXPECT_EQ(Units::of_vector(0, 4, 3).largest(), 0U);
  EXPECT_EQ(Units::of_vector(2, 4, 1).elements(0, 4), 2U);
}

// 2^40 elements, of which the unit's number times the size would not fit into 64 bits.
TEST(Units, of_huge_blocks) {
  const std::uint64_t elements = std::uint64_t{1} << 40;
  const Units units = Units::of_blocks(elements + 1, 1U << 16);
  EXPECT_EQ(units.begin((1U << 16) - 1), (elements >> 16) * 65535U);
  EXPECT_EQ(units.begin(1U << 16), elements + 1);
}

}  // namespace
}  // namespace isotrope::rank
