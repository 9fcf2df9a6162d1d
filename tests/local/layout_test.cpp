// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/layout.hpp"

#include <gtest/gtest.h>

namespace isotrope::local {
namespace {

TEST(Layout, places_follow_each_other_and_free_slots_are_taken_again) {
  Layout layout;

  EXPECT_EQ(layout.append(10), 0U);
  EXPECT_EQ(layout.take_slot(8), 10U);
  EXPECT_EQ(layout.take_slot(8), 18U);
  layout.free_slot(10);
  layout.free_slot(18);

  EXPECT_EQ(layout.take_slot(8), 18U);
  EXPECT_EQ(layout.append(1), 26U);
  EXPECT_EQ(layout.take_slot(8), 10U);
  EXPECT_EQ(layout.end(), 27U);
}

TEST(Layout, ends_at_the_largest_number_at_most) {
  Layout layout;
  layout.append(UINT64_MAX - 1);
  layout.append(5);
  EXPECT_EQ(layout.end(), UINT64_MAX);
}

TEST(Saturating, sums_and_products_stop_at_the_largest_number) {
  EXPECT_EQ(saturating_add(3, 4), 7U);
  EXPECT_EQ(saturating_add(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(saturating_multiply(3, 4), 12U);
  EXPECT_EQ(saturating_multiply(UINT64_MAX, 0), 0U);
  EXPECT_EQ(saturating_multiply(std::uint64_t{1} << 32, std::uint64_t{1} << 32), UINT64_MAX);
}

}  // namespace
}  // namespace isotrope::local
