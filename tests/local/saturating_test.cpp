// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isotrope/local/whole_numbers.hpp"

namespace isotrope::local {
namespace {

TEST(Saturating, sums_and_products_stop_at_the_largest_number) {
  EXPECT_EQ(saturating_add(3, 4), 7U);
  EXPECT_EQ(saturating_add(UINT64_MAX - 1, 5), UINT64_MAX);
  EXPECT_EQ(saturating_add(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(saturating_multiply(3, 4), 12U);
  EXPECT_EQ(saturating_multiply(UINT64_MAX, 0), 0U);
  EXPECT_EQ(saturating_multiply(std::uint64_t{1} << 32, std::uint64_t{1} << 32), UINT64_MAX);
}

}  // namespace
}  // namespace isotrope::local
