// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/exact_count.hpp"

#include <random>

#include <gtest/gtest.h>

namespace isotrope::network {
namespace {

TEST(ExactCount, carries_over_limbs) {
  ExactCount count(999'999'999);
  EXPECT_EQ(count.to_string(), "999999999");
  count += ExactCount(1);
  EXPECT_EQ(count.to_string(), "1000000000");
  count *= 4'294'967'295;
  EXPECT_EQ(count.to_string(), "4294967295000000000");
  count /= 4'294'967'295;
  EXPECT_EQ(count.to_string(), "1000000000");
  count /= 1'000'000'000;
  EXPECT_EQ(count, ExactCount(1));
  count *= 0;
  EXPECT_EQ(count, ExactCount());
  EXPECT_EQ(count.to_string(), "0");
  EXPECT_EQ(ExactCount(UINT32_MAX).to_string(), "4294967295");
}

// Where 64 bits are enough, as they have it.
TEST(ExactCount, reckons_as_machine_words_do) {
  std::mt19937 random(1990);
  std::uniform_int_distribution<std::uint32_t> any;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint32_t a = any(random), b = any(random), c = any(random), d = any(random) / 2 + 1;
    ExactCount count(a);
    count *= b;
    EXPECT_EQ(count.to_string(), std::to_string(std::uint64_t{a} * b));
    ExactCount other(c);
    other += count;
    count /= d;
    EXPECT_EQ(count.to_string(), std::to_string(std::uint64_t{a} * b / d));
    other /= 4;
    EXPECT_EQ(other.to_string(), std::to_string((std::uint64_t{a} * b + c) / 4));
  }
}

TEST(ExactCount, has_room_for_factorials) {
  ExactCount count(1);
  for (std::uint32_t factor = 2; factor <= 30; ++factor) count *= factor;
  EXPECT_EQ(count.to_string(), "265252859812191058636308480000000");
  for (std::uint32_t factor = 2; factor <= 30; ++factor) count /= factor;
  EXPECT_EQ(count, ExactCount(1));
}

}  // namespace
}  // namespace isotrope::network
