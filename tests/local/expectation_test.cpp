// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/expectation.hpp"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::local {
namespace {

using testing::Optional;
using testing::StartsWith;

template <class T>
std::optional<std::string> error_in(Expectation& expected, const std::vector<T>& came) {
  return expected.error(std::as_bytes(std::span(came)), 0);
}

template <class T>
void give(Expectation& expected, const std::vector<std::vector<T>>& contributions) {
  expected.begin(std::as_bytes(std::span(contributions.front())));
  for (std::size_t i = 1; i < contributions.size(); ++i) {
    expected.combine(std::as_bytes(std::span(contributions[i])));
  }
}

TEST(Expectation, of_integers_is_exact) {
  const auto expected = exact_expectation(combine_function({Type::uint16, Operation::sum}));
  give<std::uint16_t>(*expected, {{1, 2}, {3, 0x100}});

  EXPECT_EQ(error_in<std::uint16_t>(*expected, {4, 0x102}), std::nullopt);
  EXPECT_THAT(error_in<std::uint16_t>(*expected, {4, 0x202}),
              Optional(std::string("at byte 3: 0x02 instead of 0x01")));
  EXPECT_EQ(expected->largest_rounding(), 0);
}

// 1 + e + e with e = 2^-24, half a unit in the last place: from the left both e are lost, from the right they
// make one unit. Exactly the sum is 1 + 2^-23; gamma with n = 2 is 2^-23 and a little more.
TEST(Expectation, of_a_sum_allows_every_order_of_rounding) {
  const float e = 0x1p-24F;
  const auto expected = rounded_expectation({Type::float32, Operation::sum}, 3);
  give<float>(*expected, {{1}, {e}, {e}});

  EXPECT_EQ(error_in<float>(*expected, {(1 + e) + e}), std::nullopt);
  EXPECT_NEAR(expected->largest_rounding(), 0x1p-23, 0x1p-40);
  EXPECT_EQ(error_in<float>(*expected, {1 + (e + e)}), std::nullopt);
  EXPECT_THAT(error_in<float>(*expected, {1 + 0x1p-21F}), Optional(StartsWith("at element 0: 1.000000")));
}

// Cancellation leaves a sum of 0, whose bound is that of the absolute values: 2 * 2^-53 * 3, about.
TEST(Expectation, of_a_sum_is_relative_to_the_absolute_values) {
  const auto expected = rounded_expectation({Type::float64, Operation::sum}, 3);
  give<double>(*expected, {{1, 0}, {0.5, 0}, {-1.5, 0}});

  EXPECT_EQ(error_in<double>(*expected, {0x1p-51, 0}), std::nullopt);
  EXPECT_TRUE(error_in<double>(*expected, {0x1p-50, 0}).has_value());
  EXPECT_TRUE(error_in<double>(*expected, {0, 0x1p-1000}).has_value());
}

TEST(Expectation, of_a_product_is_relative_to_it) {
  const auto expected = rounded_expectation({Type::float64, Operation::prod}, 3);
  give<double>(*expected, {{0.5}, {1.5}, {-0.5}});

  EXPECT_EQ(error_in<double>(*expected, {-0.375}), std::nullopt);
  EXPECT_EQ(expected->largest_rounding(), 0);
  EXPECT_EQ(error_in<double>(*expected, {-0.375 - 0x1p-54}), std::nullopt);
  EXPECT_TRUE(error_in<double>(*expected, {-0.375 - 0x1p-52}).has_value());
}

TEST(Expectation, no_number_is_within_no_bound) {
  const auto expected = rounded_expectation({Type::float64, Operation::sum}, 2);
  give<double>(*expected, {{1}, {2}});
  EXPECT_TRUE(error_in<double>(*expected, {std::numeric_limits<double>::quiet_NaN()}).has_value());
  EXPECT_TRUE(error_in<double>(*expected, {std::numeric_limits<double>::infinity()}).has_value());
}

TEST(Expectation, the_bound_grows_with_the_contributors_to_infinity) {
  const Reduction sum = {Type::float32, Operation::sum};
  EXPECT_EQ(rounding_bound(sum, 1), 0);
  EXPECT_NEAR(rounding_bound(sum, 2), 0x1p-24, 0x1p-40);
  EXPECT_NEAR(rounding_bound(sum, (1U << 23) + 1), 1, 1e-6);
  EXPECT_EQ(rounding_bound(sum, (1U << 24) + 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(rounding_bound({Type::float32, Operation::max}, 100), 0);
  EXPECT_EQ(rounding_bound({}, 100), 0);
}

}  // namespace
}  // namespace isotrope::local
