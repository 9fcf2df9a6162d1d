// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/split_mix.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace isotrope {
namespace {

// The first outputs that are published with the generator.
TEST(SplitMix, gives_the_published_numbers) {
  SplitMix random(1234567);
  EXPECT_EQ(random(), 6457827717110365317U);
  EXPECT_EQ(random(), 3203168211198807973U);
  EXPECT_EQ(random(), 9817491932198370423U);
}

TEST(SplitMix, gives_every_number_below_a_bound_as_often) {
  SplitMix random(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // 5 standard deviations are 456
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace isotrope
