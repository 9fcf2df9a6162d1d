// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/divisor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace isotrope::network {
namespace {

constexpr std::uint32_t end = 1u << 26;

TEST(Divisor, divides_by_seven) {
  const Divisor seven(7);

  EXPECT_EQ(seven.value(), 7);
  EXPECT_EQ(seven.quotient(0), 0);
  EXPECT_EQ(seven.quotient(6), 0);
  EXPECT_EQ(seven.quotient(7), 1);
  EXPECT_EQ(seven.quotient(end - 1), 9586980);
}

// A wrong reciprocal shows first just below a multiple, and at the largest dividends.
TEST(Divisor, quotients_are_exact_beside_every_multiple) {
  EXPECT_TRUE(rc::check("against /", [] {
    const auto value =
        *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(1, 5000), rc::gen::inRange<std::uint32_t>(1, end + 1),
                        rc::gen::map(rc::gen::inRange(0, 27), [](int bit) { return 1u << bit; }));
    const Divisor divisor(value);
    const std::uint32_t multiple = value * *rc::gen::inRange<std::uint32_t>(0, (end - 1) / value + 1);
    const std::uint32_t last_multiple = (end - 1) / value * value;
    for (std::uint32_t dividend :
         {multiple, multiple + value - 1, last_multiple, last_multiple - 1, end - 1}) {
      if (dividend < end) RC_ASSERT(divisor.quotient(dividend) == dividend / value);
    }
  }));
}

}  // namespace
}  // namespace isotrope::network
