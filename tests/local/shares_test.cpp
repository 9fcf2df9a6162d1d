// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/local/whole_numbers.hpp"

namespace isotrope::local {
namespace {

TEST(Shares, of_ten_bytes_in_four_parts) {
  EXPECT_EQ(share_begin(0, 10, 4), 0U);
  EXPECT_EQ(share_begin(1, 10, 4), 2U);
  EXPECT_EQ(share_begin(2, 10, 4), 5U);
  EXPECT_EQ(share_begin(3, 10, 4), 7U);
  EXPECT_EQ(share_begin(4, 10, 4), 10U);
}

TEST(Shares, differ_by_one_at_most_and_cover_everything) {
  EXPECT_TRUE(rc::check([](std::uint64_t total, std::uint32_t any) {
    const std::uint64_t shares = std::uint64_t{any} + 1;
    const std::uint64_t index = *rc::gen::inRange<std::uint64_t>(0, shares);
    const std::uint64_t size = share_begin(index + 1, total, shares) - share_begin(index, total, shares);

    RC_ASSERT(size == total / shares || size == total / shares + (total % shares != 0));
    RC_ASSERT(share_begin(0, total, shares) == 0);
    RC_ASSERT(share_begin(shares, total, shares) == total);
  }));
}

TEST(Shares, do_not_overflow) {
  EXPECT_EQ(share_begin(UINT32_MAX - 1U, UINT64_MAX, UINT32_MAX), UINT64_MAX - (std::uint64_t{1} << 32) - 1);
}

}  // namespace
}  // namespace isotrope::local
