// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/multinomial.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::network {
namespace {

using Hops = std::vector<std::uint32_t>;

TEST(Multinomial, counts_orders) {
  EXPECT_EQ(multinomial(Hops{}), "1");
  EXPECT_EQ(multinomial(Hops{0, 0}), "1");
  EXPECT_EQ(multinomial(Hops{1u << 25}), "1");
  EXPECT_EQ(multinomial(Hops{0, 2, 1}), "3");
  EXPECT_EQ(multinomial(Hops{1, 2, 3}), "60");         // 6! / (1! 2! 3!)
  EXPECT_EQ(multinomial(Hops{1, 1, 1, 1}, 3), "192");  // 4! 2^3
}

// C(100, 50), and 26! and 30! for hypercubes: beyond 64 bits.
TEST(Multinomial, is_exact_beyond_machine_words) {
  EXPECT_EQ(multinomial(Hops{50, 50}), "100891344545564193334812497256");
  EXPECT_EQ(multinomial(Hops(26, 1)), "403291461126605635584000000");
  EXPECT_EQ(multinomial(Hops(30, 1)), "265252859812191058636308480000000");
  EXPECT_EQ(multinomial(Hops{}, 70), "1180591620717411303424");
}

// With one hop of the second kind there are as many orders as hops.
TEST(Multinomial, carries_over_decimal_and_binary_words) {
  EXPECT_EQ(multinomial(Hops{999'999'998, 1}), "999999999");
  EXPECT_EQ(multinomial(Hops{999'999'999, 1}), "1000000000");
  EXPECT_EQ(multinomial(Hops{UINT32_MAX - 1, 1}), "4294967295");
  EXPECT_EQ(multinomial(Hops{UINT32_MAX - 1, 1}, 32), "18446744069414584320");  // (2^32 - 1) 2^32
}

// Where 64 bits are enough: C(a, 2) = a (a - 1) / 2.
TEST(Multinomial, reckons_as_machine_words_do) {
  std::mt19937 random(1990);
  std::uniform_int_distribution<std::uint32_t> any(2, UINT32_MAX);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint32_t a = any(random);
    EXPECT_EQ(multinomial(Hops{a - 2, 2}), std::to_string(std::uint64_t{a} * (a - 1) / 2));
  }
}

// The rule of Pascal: the last hop is of one kind or the other.
TEST(Multinomial, adds_up_over_the_last_hop) {
  for (std::uint32_t a = 1; a <= 12; ++a) {
    for (std::uint32_t b = 1; b <= 12; ++b) {
      const std::uint64_t sum =
          std::stoull(multinomial(Hops{a - 1, b})) + std::stoull(multinomial(Hops{a, b - 1}));
      EXPECT_EQ(multinomial(Hops{a, b}), std::to_string(sum));
    }
  }
}

}  // namespace
}  // namespace isotrope::network
