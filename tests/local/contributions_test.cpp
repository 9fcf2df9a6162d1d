// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/contributions.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/local/element.hpp"

namespace isotrope::local {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;
using testing::Lt;

template <class T>
std::vector<T> elements(const Contributions& contributions, Node contributor, std::size_t count,
                        std::size_t first = 0) {
  std::vector<T> result(count);
  contributions.write(std::as_writable_bytes(std::span(result)), contributor, 3, 4, first * sizeof(T));
  return result;
}

TEST(Contributions, of_bytes_are_the_stream_as_it_is) {
  std::vector<std::byte> expected(100);
  ByteStream(9, 2, 3, 4).write(expected, 5);

  const auto written = elements<std::uint8_t>({{}, 64, 9}, 2, 100, 5);

  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(written)), expected));
}

TEST(Contributions, any_piece_is_cut_from_the_same_elements) {
  for (const Operation operation : {Operation::sum, Operation::band, Operation::lor, Operation::prod}) {
    const Contributions contributions({Type::int32, operation}, 10, 1);
    const auto whole = elements<std::int32_t>(contributions, 2, 3000);
    EXPECT_TRUE(rc::check([&] {
      const auto first = *rc::gen::inRange<std::size_t>(0, 3000);
      const auto count = *rc::gen::inRange<std::size_t>(0, 3001 - first);
      const auto piece = elements<std::int32_t>(contributions, 2, count, first);
      RC_ASSERT(std::ranges::equal(piece, std::span(whole).subspan(first, count)));
    }));
  }
}

template <class T>
void expect_sums_within_one(Type type) {
  const auto values = elements<T>({{type, Operation::sum}, 64, 1}, 0, 10000);
  EXPECT_THAT(values, Each(AllOf(Ge(T{-1}), Lt(T{1}))));
  EXPECT_LT(*std::ranges::min_element(values), T(-0.99));
  EXPECT_GT(*std::ranges::max_element(values), T(0.99));
}

TEST(Contributions, to_sums_of_floating_point_numbers_lie_around_zero) {
  expect_sums_within_one<float>(Type::float32);
  expect_sums_within_one<double>(Type::float64);
}

std::vector<double> factors(std::uint64_t contributors) {
  return elements<double>({{Type::float64, Operation::prod}, contributors, 1}, 0, 10000);
}

// s = 1 up to 125 contributors, 2 from 126 on; of 1000, 1000 / 63 is 15.9, and 2^4 is more.
TEST(Contributions, to_products_lie_around_one_the_closer_the_more_there_are) {
  const auto spread = [](std::uint64_t contributors) {
    const auto values = factors(contributors);
    return std::max(1 - *std::ranges::min_element(values), *std::ranges::max_element(values) - 1);
  };
  EXPECT_THAT(spread(2), AllOf(Ge(0.49), Le(0.5)));
  EXPECT_THAT(spread(125), AllOf(Ge(0.49), Le(0.5)));
  EXPECT_THAT(spread(126), AllOf(Ge(0.24), Le(0.25)));
  EXPECT_THAT(spread(1000), AllOf(Ge(0.062), Le(0.0625)));
}

TEST(Contributions, no_product_of_floats_leaves_the_normal_numbers) {
  for (const unsigned contributors : {1U, 2U, 63U, 64U, 125U, 126U, 1000U, 1U << 20}) {
    const auto values = factors(contributors);
    EXPECT_GE(contributors * std::log2(*std::ranges::min_element(values)), -126);
    EXPECT_LT(contributors * std::log2(*std::ranges::max_element(values)), 127);
  }
}

TEST(Contributions, to_products_of_integers_are_odd) {
  for (const auto value : elements<std::uint64_t>({{Type::uint64, Operation::prod}, 64, 1}, 0, 1000)) {
    EXPECT_EQ(value % 2, 1U);
  }
}

// Each of 64 contributors decides one bit, or element, in 64: of the 51200 bits of 6400 bytes some 800, of
// 6400 elements of a byte some 100.
TEST(Contributions, to_ands_and_ors_are_here_and_there_decisive) {
  const auto ones = [](Operation operation) {
    int bits = 0;
    for (const auto value : elements<std::uint8_t>({{Type::uint8, operation}, 64, 1}, 0, 6400)) {
      bits += std::popcount(value);
    }
    return bits;
  };
  const auto trues = [](Operation operation) {
    const auto values = elements<std::uint8_t>({{Type::uint8, operation}, 64, 1}, 0, 6400);
    return values.size() - static_cast<std::size_t>(std::ranges::count(values, 0));
  };
  EXPECT_NEAR(ones(Operation::bor), 800, 100);
  EXPECT_NEAR(ones(Operation::band), 51200 - 800, 100);
  EXPECT_NEAR(static_cast<double>(trues(Operation::lor)), 100, 40);
  EXPECT_NEAR(static_cast<double>(trues(Operation::land)), 6300, 40);
  EXPECT_NEAR(static_cast<double>(trues(Operation::lxor)), 3200, 200);
}

}  // namespace
}  // namespace isotrope::local
