// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference is an exact sum: a number is an integer multiple of the least subnormal number.
#include "isotrope/sum/reproducible_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

namespace isotrope::sum {
namespace {

using Exact = boost::multiprecision::cpp_int;

template <class Value>
constexpr Real real_of() {
  return sizeof(Value) == 4 ? Real::binary32 : Real::binary64;
}

template <class Value>
auto bits_of(Value value) {
  if constexpr (sizeof(Value) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}

template <class Value>
const std::byte* bytes_of(const std::vector<Value>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

template <class Value>
std::vector<decltype(bits_of(Value()))> bits_of(const std::vector<Value>& values) {
  std::vector<decltype(bits_of(Value()))> result(values.size());
  std::ranges::transform(values, result.begin(), [](Value value) { return bits_of(value); });
  return result;
}

// Blocks of `count` numbers, one for each contribution.
template <class Value>
std::vector<Value> folded(const std::vector<Value>& blocks, std::uint64_t contributions) {
  std::vector<Value> result(blocks.size() / contributions);
  ReproducibleSum(real_of<Value>(), contributions)
      .fold(bytes_of(blocks), result.size(), reinterpret_cast<std::byte*>(result.data()));
  return result;
}

template <class Value>
Value sum_of(const std::vector<Value>& values) {
  return folded(values, values.size()).front();
}

// By keys and integers, added along a random tree.
template <class Value>
std::vector<Value> added_along_a_tree(const std::vector<Value>& blocks, std::uint64_t contributions,
                                      SplitMix& random) {
  const ReproducibleSum sum(real_of<Value>(), contributions);
  const std::uint64_t count = blocks.size() / contributions;
  std::vector<std::byte> keys(count * sum.key_bytes()), own(keys.size());
  for (std::uint64_t i = 0; i < contributions; ++i) {
    sum.keys(bytes_of(blocks) + i * count * sizeof(Value), count, own.data());
    sum.maximise(own.data(), keys.data(), count);
  }
  std::vector<std::vector<std::byte>> left(contributions);
  for (std::uint64_t i = 0; i < contributions; ++i) {
    left[i].resize(count * sum.integer_bytes());
    sum.to_integers(bytes_of(blocks) + i * count * sizeof(Value), keys.data(), count, left[i].data());
  }
  while (left.size() > 1) {
    std::swap(left[random.below(static_cast<std::uint32_t>(left.size()))], left.back());
    const std::vector<std::byte> one = std::move(left.back());
    left.pop_back();
    sum.add(one.data(), left[random.below(static_cast<std::uint32_t>(left.size()))].data(), count);
  }
  std::vector<Value> result(count);
  sum.from_integers(left.front().data(), keys.data(), count, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

template <class Value>
std::vector<Value> with_blocks_permuted(const std::vector<Value>& blocks, std::uint64_t contributions,
                                        SplitMix& random) {
  const std::uint64_t count = blocks.size() / contributions;
  std::vector<Value> result(blocks);
  for (std::uint64_t i = contributions; i > 1; --i) {
    const std::uint64_t other = random.below(static_cast<std::uint32_t>(i));
    for (std::uint64_t k = 0; k < count; ++k)
      std::swap(result[(i - 1) * count + k], result[other * count + k]);
  }
  return result;
}

// ---- kinds of numbers

enum class Kind {
  positive,
  normal,
  scaled_columns,
  near_scales,
  far_scales,
  one_outlier,
  cancelling,
  subnormal,
  near_overflow,
  halfway,
  zeros,
  specials
};
constexpr std::array kinds{Kind::positive,      Kind::normal,      Kind::scaled_columns, Kind::near_scales,
                           Kind::far_scales,    Kind::one_outlier, Kind::cancelling,     Kind::subnormal,
                           Kind::near_overflow, Kind::halfway,     Kind::zeros,          Kind::specials};

double uniform(SplitMix& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

double normal(SplitMix& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

template <class Value>
Value number(Kind kind, std::uint64_t row, std::uint64_t rows, std::uint64_t column, SplitMix& random) {
  using Limits = std::numeric_limits<Value>;
  const int range = Limits::max_exponent / 4;
  const auto scaled = [&](double value, int exponent) {
    return static_cast<Value>(std::ldexp(static_cast<Value>(value), exponent));
  };
  const auto between = [&](int most) {
    return static_cast<int>(random.below(static_cast<std::uint32_t>(2 * most + 1))) - most;
  };
  switch (kind) {
    case Kind::positive:
      return static_cast<Value>(uniform(random));
    case Kind::normal:
      return static_cast<Value>(normal(random));
    case Kind::scaled_columns:
      return scaled(normal(random), static_cast<int>(column % 16) * range / 16);
    case Kind::near_scales:
      return scaled(normal(random), between(30));
    case Kind::far_scales:
      return scaled(normal(random), between(range));
    case Kind::one_outlier:
      return scaled(normal(random), row == 0 ? 40 : 0);
    case Kind::cancelling: {
      SplitMix pair(column * 1000 + row / 2);
      const auto value = static_cast<Value>(normal(pair));
      return row + 1 == rows && rows % 2 == 1 ? scaled(uniform(random), -30) : row % 2 == 0 ? value : -value;
    }
    case Kind::subnormal:
      return static_cast<Value>(between(1000)) * Limits::denorm_min();
    case Kind::near_overflow:
      return (random() % 2 == 0 ? -1 : 1) * Limits::max() * static_cast<Value>(1 - uniform(random) / 2);
    case Kind::halfway:
      return row == 0 ? Value{1} : Limits::epsilon() / 2 * static_cast<Value>(between(3));
    case Kind::zeros:
      return column % 3 == 0 ? -Value{0} : column % 3 == 1 || row % 2 == 0 ? Value{0} : -Value{0};
    case Kind::specials: {
      const std::array<Value, 6> values{
          Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), static_cast<Value>(normal(random)),
          Value{0},           -Limits::quiet_NaN()};
      // Some columns hold one kind of infinity only.
      return values.at(column % 4 == 0   ? random() % 6
                       : column % 4 == 1 ? random() % 2 * 3
                                         : 3 + column % 4 / 3);
    }
  }
  return 0;
}

template <class Value>
std::vector<Value> numbers(Kind kind, std::uint64_t rows, std::uint64_t columns, SplitMix& random) {
  std::vector<Value> result;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column)
      result.push_back(number<Value>(kind, row, rows, column, random));
  }
  return result;
}

// ---- exact sums

template <class Value>
constexpr int fraction_bits = std::numeric_limits<Value>::digits - 1;

// In units of the least subnormal number. @pre finite
template <class Value>
Exact exact(Value value) {
  const auto bits = bits_of(value);
  using Bits = decltype(bits_of(value));
  constexpr int width = 8 * static_cast<int>(sizeof(Bits));
  const int exponent = static_cast<int>((bits << 1) >> (fraction_bits<Value> + 1));
  Exact magnitude = bits & ((Bits{1} << fraction_bits<Value>)-1);
  if (exponent > 0) magnitude += Exact(1) << fraction_bits<Value>;
  magnitude <<= std::max(exponent, 1) - 1;
  return (bits >> (width - 1)) != 0 ? Exact(-magnitude) : magnitude;
}

int spare_bits(std::uint64_t contributions) {
  return static_cast<int>(std::bit_width(contributions - 1));
}

// The stated bound on the error before the last rounding: n 2^(h + g - W) max|x|.
template <class Value>
int bound_exponent(std::uint64_t contributions) {
  const int h = spare_bits(contributions);
  if (sizeof(Value) == 8) return contributions <= 64 ? h + 1 - 64 : h + 9 - 80;
  return contributions <= 4096 ? h + 2 - 48 : h + 2 - 64;
}

template <class Value>
Value pairwise(std::vector<Value> values) {
  while (values.size() > 1) {
    std::vector<Value> half;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2)
      half.push_back(static_cast<Value>(values[i] + values[i + 1]));
    if (values.size() % 2 == 1) half.push_back(values.back());
    values = std::move(half);
  }
  return values.front();
}

// ---- tests

template <class Value>
class ReproducibleSums : public testing::Test {};
using Values = testing::Types<float, double>;
TYPED_TEST_SUITE(ReproducibleSums, Values);

TYPED_TEST(ReproducibleSums, of_few_numbers_are_exact) {
  using Value = TypeParam;
  EXPECT_EQ(sum_of<Value>({1, 2, 4}), 7);
  EXPECT_EQ(sum_of<Value>({1, -2, Value{0.5}}), Value{-0.5});
  EXPECT_EQ(sum_of<Value>({Value{3}}), 3);
  EXPECT_EQ(sum_of<Value>(std::vector<Value>(100, Value{0.25})), 25);
  EXPECT_EQ(sum_of<Value>(std::vector<Value>(5000, Value{-3})), -15000);
  // 1 + u + u, where u is half a unit in the last place: from left to right both are lost.
  const Value u = std::numeric_limits<Value>::epsilon() / 2;
  EXPECT_EQ(sum_of<Value>({1, u, u}), 1 + 2 * u);
  EXPECT_EQ(sum_of<Value>({1, u, 0}), 1);              // half to even
  EXPECT_EQ(sum_of<Value>({1, u, 2 * u}), 1 + 4 * u);  // half to even
}

TYPED_TEST(ReproducibleSums, overflow_only_if_the_sum_does) {
  using Value = TypeParam;
  const Value most = std::numeric_limits<Value>::max(), infinity = std::numeric_limits<Value>::infinity();
  EXPECT_EQ(sum_of<Value>({most, most, -most}), most);
  EXPECT_EQ(sum_of<Value>({most, most}), infinity);
  EXPECT_EQ(sum_of<Value>(std::vector<Value>(5000, -most)), -infinity);
}

TYPED_TEST(ReproducibleSums, have_signed_zeros_infinities_and_one_nan) {
  using Value = TypeParam;
  using Limits = std::numeric_limits<Value>;
  const Value infinity = Limits::infinity(), nan = Limits::quiet_NaN(), zero = 0;
  const auto expect = [](Value got, Value wanted) { EXPECT_EQ(bits_of(got), bits_of(wanted)); };
  for (const std::size_t extra : {0U, 100U, 5000U}) {  // every format
    const auto sum = [&](std::vector<Value> values, Value filler) {
      values.insert(values.end(), extra, filler);
      return sum_of(values);
    };
    expect(sum({-zero, -zero}, -zero), -zero);
    expect(sum({-zero, zero}, -zero), zero);
    expect(sum({1, -1}, -zero), zero);
    expect(sum({infinity, 1}, 2), infinity);
    expect(sum({-infinity, 1}, -infinity), -infinity);
    expect(sum({-infinity, infinity}, 2), nan);
    expect(sum({-nan, infinity}, 2), nan);
    expect(sum({Limits::signaling_NaN(), 1}, 2), nan);
    expect(sum({Limits::denorm_min(), 2 * Limits::denorm_min()}, 0), 3 * Limits::denorm_min());
    expect(sum({Limits::min(), -Limits::denorm_min()}, 0), Limits::min() - Limits::denorm_min());
  }
}

TYPED_TEST(ReproducibleSums, have_the_same_bits_in_any_order_tree_and_cut) {
  using Value = TypeParam;
  SplitMix random(1);
  constexpr std::uint64_t columns = 24;
  for (const Kind kind : kinds) {
    for (const std::uint64_t rows : {1U, 2U, 3U, 7U, 16U, 64U, 65U, 100U, 300U, 4100U}) {
      const std::vector<Value> blocks = numbers<Value>(kind, rows, columns, random);
      const auto wanted = bits_of(folded(blocks, rows));
      EXPECT_EQ(bits_of(folded(with_blocks_permuted(blocks, rows, random), rows)), wanted);
      EXPECT_EQ(bits_of(added_along_a_tree(blocks, rows, random)), wanted) << rows << " rows";
      // Every column alone.
      for (std::uint64_t column = 0; column < columns; column += 5) {
        std::vector<Value> values;
        for (std::uint64_t row = 0; row < rows; ++row) values.push_back(blocks[row * columns + column]);
        EXPECT_EQ(bits_of(sum_of(values)), wanted[column]);
      }
    }
  }
}

TYPED_TEST(ReproducibleSums, keep_the_stated_bound) {
  using Value = TypeParam;
  SplitMix random(2);
  for (const Kind kind : kinds) {
    if (kind == Kind::specials) continue;
    for (const std::uint64_t rows : {1U, 2U, 5U, 64U, 65U, 500U, 4096U, 5000U}) {
      for (int repetition = 0; repetition < 4; ++repetition) {
        const std::vector<Value> values = numbers<Value>(kind, rows, 1, random);
        Exact wanted = 0, largest = exact(std::numeric_limits<Value>::min());
        for (const Value value : values) {
          wanted += exact(value);
          largest = std::max(largest, Exact(abs(exact(value))));
        }
        const Value got = sum_of(values);
        if (std::isinf(got)) {
          EXPECT_GE(Exact(abs(wanted)), exact(std::numeric_limits<Value>::max()));
          continue;
        }
        // Everything in units of 2^-80 of the least subnormal number. Half an ulp of the result.
        const Exact error = Exact(abs(exact(got) - wanted)) << 80;
        const Exact before = (rows * largest) << (80 + bound_exponent<Value>(rows));
        const Exact magnitude = abs(exact(got));
        const auto width = magnitude == 0 ? 0 : static_cast<int>(msb(magnitude)) + 1;
        const Exact half_ulp = Exact(1) << (79 + std::max(width - fraction_bits<Value> - 1, 0));
        EXPECT_LE(error, before + half_ulp) << "kind " << static_cast<int>(kind) << ", rows " << rows;
      }
    }
  }
}

// The bound of the pairwise sum is h u sum|x|, with u = 2^-53 or 2^-24; sum|x| >= max|x|. Ours is n 2^(h+g-W) max|x|.
TYPED_TEST(ReproducibleSums, have_no_larger_bound_than_pairwise_sums) {
  using Value = TypeParam;
  const std::uint64_t most = sizeof(Value) == 8 ? 1024 : ReproducibleSum::most_contributions;
  for (std::uint64_t n = 2; n <= most; n += std::max<std::uint64_t>(n / 50, 1)) {
    const double ours = static_cast<double>(n) * std::ldexp(1.0, bound_exponent<Value>(n));
    EXPECT_LE(ours, spare_bits(n) * std::ldexp(1.0, -std::numeric_limits<Value>::digits)) << n;
  }
}

TYPED_TEST(ReproducibleSums, err_less_than_pairwise_sums) {
  using Value = TypeParam;
  SplitMix random(3);
  for (const Kind kind :
       {Kind::positive, Kind::normal, Kind::near_scales, Kind::one_outlier, Kind::cancelling}) {
    for (const std::uint64_t rows : {8U, 64U, 65U, 512U, 4096U}) {
      double ours = 0, theirs = 0;
      for (int repetition = 0; repetition < 40; ++repetition) {
        // Permuted: pairs that cancel are apart.
        const std::vector<Value> values =
            with_blocks_permuted(numbers<Value>(kind, rows, 1, random), rows, random);
        Exact wanted = 0, largest = 0;
        for (const Value value : values) {
          wanted += exact(value);
          largest = std::max(largest, Exact(abs(exact(value))));
        }
        const auto error = [&](Value sum) {
          return (static_cast<double>(Exact(Exact(abs(exact(sum) - wanted)) << 80) / largest));
        };
        ours += std::pow(error(sum_of(values)), 2);
        theirs += std::pow(error(pairwise(values)), 2);
      }
      EXPECT_LE(ours, theirs) << "kind " << static_cast<int>(kind) << ", rows " << rows;
    }
  }
}

TEST(ReproducibleSum, has_formats_by_the_number_of_contributions) {
  const auto bytes = [](Real real, std::uint64_t n) {
    const ReproducibleSum sum(real, n);
    return std::array{sum.key_bytes(), sum.integer_bytes()};
  };
  using Bytes = std::array<std::uint64_t, 2>;
  EXPECT_EQ(bytes(Real::binary64, 64), (Bytes{2, 8}));
  EXPECT_EQ(bytes(Real::binary64, 65), (Bytes{1, 10}));
  EXPECT_EQ(bytes(Real::binary32, 4096), (Bytes{1, 6}));
  EXPECT_EQ(bytes(Real::binary32, 4097), (Bytes{1, 8}));
}

TEST(ReproducibleSum, rejects_numbers_of_contributions) {
  EXPECT_THROW(ReproducibleSum(Real::binary64, 0), Error);
  EXPECT_THROW(ReproducibleSum(Real::binary64, ReproducibleSum::most_contributions + 1), Error);
  EXPECT_NO_THROW(ReproducibleSum(Real::binary32, ReproducibleSum::most_contributions));
}

// Any bits, NaN and infinities among them.
RC_GTEST_PROP(ReproducibleSum, of_any_bits_is_the_same_along_any_tree, ()) {
  const auto words = *rc::gen::nonEmpty<std::vector<std::uint64_t>>();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<double> doubles;
  std::vector<float> floats;
  for (const std::uint64_t word : words) {
    SplitMix mixed(word);
    doubles.push_back(std::bit_cast<double>(mixed()));
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(mixed())));
  }
  SplitMix random(seed);
  RC_ASSERT(bits_of(added_along_a_tree(doubles, doubles.size(), random)) ==
            bits_of(folded(with_blocks_permuted(doubles, doubles.size(), random), doubles.size())));
  RC_ASSERT(bits_of(added_along_a_tree(floats, floats.size(), random)) ==
            bits_of(folded(with_blocks_permuted(floats, floats.size(), random), floats.size())));
}

}  // namespace
}  // namespace isotrope::sum
