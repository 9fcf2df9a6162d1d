// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/multinomial.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace isotrope::network {
namespace {

using Hops = std::vector<std::uint32_t>;

TEST(Multinomial, counts_orders) {
  EXPECT_EQ(multinomial(Hops{}).to_string(), "1");
  EXPECT_EQ(multinomial(Hops{0, 0}).to_string(), "1");
  EXPECT_EQ(multinomial(Hops{1u << 25}).to_string(), "1");
  EXPECT_EQ(multinomial(Hops{0, 2, 1}).to_string(), "3");
  EXPECT_EQ(multinomial(Hops{1, 2, 3}).to_string(), "60");         // 6! / (1! 2! 3!)
  EXPECT_EQ(multinomial(Hops{1, 1, 1, 1}, 3).to_string(), "192");  // 4! 2^3
}

// C(100, 50), and 26! for a hypercube: beyond 64 bits.
TEST(Multinomial, is_exact_beyond_machine_words) {
  EXPECT_EQ(multinomial(Hops{50, 50}).to_string(), "100891344545564193334812497256");
  EXPECT_EQ(multinomial(Hops(26, 1)).to_string(), "403291461126605635584000000");
  EXPECT_EQ(multinomial(Hops{}, 70).to_string(), "1180591620717411303424");
}

// The rule of Pascal: the last hop is of one kind or the other.
TEST(Multinomial, adds_up_over_the_last_hop) {
  for (std::uint32_t a = 1; a <= 12; ++a) {
    for (std::uint32_t b = 1; b <= 12; ++b) {
      const std::uint64_t sum = std::stoull(multinomial(Hops{a - 1, b}).to_string()) +
                                std::stoull(multinomial(Hops{a, b - 1}).to_string());
      EXPECT_EQ(multinomial(Hops{a, b}).to_string(), std::to_string(sum));
    }
  }
}

}  // namespace
}  // namespace isotrope::network
