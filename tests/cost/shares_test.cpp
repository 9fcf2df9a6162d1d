// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/shares.hpp"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::cost {
namespace {

using testing::ElementsAre;

// Those that are left share the link evenly.
TEST(Shares, end_as_long_after_another_as_that_takes_alone) {
  EXPECT_THAT(staggered_shares(2), ElementsAre(1, 2));
  EXPECT_THAT(staggered_shares(3), ElementsAre(2, 3, 6));
  EXPECT_THAT(staggered_shares(4), ElementsAre(3, 4, 6, 12));
  for (std::uint32_t count = 2; count <= most_shares; ++count) {
    const std::vector<std::uint32_t> shares = staggered_shares(count);
    for (std::uint32_t ended = 1; ended < count; ++ended)
      EXPECT_EQ((shares[ended] - shares[ended - 1]) * (count - ended), shares[ended - 1]) << count;
  }
}

TEST(Shares, are_graded_by_one) {
  EXPECT_THAT(graded_shares(3, 6), ElementsAre(6, 7, 8));
  EXPECT_THAT(graded_shares(1, 1), ElementsAre(1));
}

TEST(Shares, have_all_bytes_rounded_up) {
  EXPECT_THAT(part_bytes_of_shares(100, 7, {}), ElementsAre(15));
  EXPECT_THAT(part_bytes_of_shares(110, 5, staggered_shares(3)), ElementsAre(4, 6, 12));
  EXPECT_THAT(part_bytes_of_shares(10, 2, staggered_shares(2)), ElementsAre(2, 4));
  const std::uint64_t many = std::uint64_t{3} << 60;
  EXPECT_THAT(part_bytes_of_shares(many, 1, staggered_shares(2)), ElementsAre(many / 3, many / 3 * 2));
}

}  // namespace
}  // namespace isotrope::cost
