// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/sum/total_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::sum {
namespace {

template <class Value>
class TotalOrders : public testing::Test {
 protected:
  using Limits = std::numeric_limits<Value>;
  using Integer = std::conditional_t<sizeof(Value) == 4, std::int32_t, std::int64_t>;
  static constexpr Real real = sizeof(Value) == 4 ? Real::binary32 : Real::binary64;

  static Integer bits(Value value) { return std::bit_cast<Integer>(value); }
  static std::vector<Integer> ordered(const std::vector<Value>& values, Extreme extreme) {
    std::vector<Integer> result(values.size());
    to_ordered(real, extreme, reinterpret_cast<const std::byte*>(values.data()), values.size(),
               reinterpret_cast<std::byte*>(result.data()));
    return result;
  }
  static Value number(Integer integer) {
    Value result{};
    from_ordered(real, reinterpret_cast<const std::byte*>(&integer), 1,
                 reinterpret_cast<std::byte*>(&result));
    return result;
  }
  static const std::vector<Value>& ascending() {
    static const std::vector<Value> values{-Limits::infinity(),
                                           -Limits::max(),
                                           -1,
                                           -Limits::denorm_min(),
                                           -Value{0},
                                           Value{0},
                                           Limits::denorm_min(),
                                           1,
                                           Limits::max(),
                                           Limits::infinity()};
    return values;
  }
};
using Values = testing::Types<float, double>;
TYPED_TEST_SUITE(TotalOrders, Values);

TYPED_TEST(TotalOrders, keep_numbers_and_their_order) {
  const auto& values = this->ascending();
  for (const Extreme extreme : {Extreme::maximum, Extreme::minimum}) {
    const auto integers = this->ordered(values, extreme);
    EXPECT_TRUE(std::ranges::is_sorted(integers));
    EXPECT_EQ(std::ranges::adjacent_find(integers), integers.end());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(this->bits(this->number(integers[i])), this->bits(values[i]));
  }
}

TYPED_TEST(TotalOrders, let_any_nan_win_and_make_it_one) {
  using Numbers = std::numeric_limits<TypeParam>;
  const TypeParam nan = Numbers::quiet_NaN();
  for (const TypeParam given : {nan, -nan, Numbers::signaling_NaN(), -Numbers::signaling_NaN()}) {
    std::vector<TypeParam> values = this->ascending();
    values.push_back(given);
    const auto for_maximum = this->ordered(values, Extreme::maximum);
    const auto for_minimum = this->ordered(values, Extreme::minimum);
    EXPECT_EQ(this->bits(this->number(std::ranges::max(for_maximum))), this->bits(nan));
    EXPECT_EQ(this->bits(this->number(std::ranges::min(for_minimum))), this->bits(nan));
  }
}

TYPED_TEST(TotalOrders, fold_blocks_in_any_order) {
  using Numbers = std::numeric_limits<TypeParam>;
  constexpr TypeParam zero = 0, infinity = Numbers::infinity();
  constexpr TypeParam nan = Numbers::quiet_NaN();
  // Three blocks of four numbers, as bytes at an odd address.
  const std::array<std::array<TypeParam, 4>, 3> blocks{
      {{zero, -1, -nan, infinity}, {-zero, 2, 1, -infinity}, {-zero, -3, infinity, 0.5}}};
  const std::array<TypeParam, 4> most{zero, 2, nan, infinity}, least{-zero, -3, nan, -infinity};
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    for (const Extreme extreme : {Extreme::maximum, Extreme::minimum}) {
      std::vector<std::byte> bytes(1 + sizeof(blocks));
      for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(&bytes[1 + i * sizeof(most)], &blocks[order[i]], sizeof(most));
      fold_extremes(this->real, extreme, &bytes[1], blocks.size(), most.size());
      EXPECT_EQ(std::memcmp(&bytes[1], extreme == Extreme::maximum ? &most : &least, sizeof(most)), 0);
    }
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace
}  // namespace isotrope::sum
