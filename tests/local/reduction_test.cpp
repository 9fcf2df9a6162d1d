// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/reduction.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/local/element.hpp"

namespace isotrope::local {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array all_types = {Type::int8,   Type::int16,  Type::int32,  Type::int64,   Type::uint8,
                                  Type::uint16, Type::uint32, Type::uint64, Type::float32, Type::float64};
constexpr std::array all_operations = {Operation::max,  Operation::min,  Operation::sum, Operation::prod,
                                       Operation::land, Operation::band, Operation::lor, Operation::bor,
                                       Operation::lxor, Operation::bxor};

// op(a, b) element by element, from places that are not aligned.
template <class T>
std::vector<T> combined(Type type, Operation operation, const std::vector<T>& a, const std::vector<T>& b) {
  const std::size_t bytes = a.size() * sizeof(T);
  std::vector<std::byte> to(bytes + 1), from(bytes + 1);
  std::memcpy(to.data() + 1, a.data(), bytes);
  std::memcpy(from.data() + 1, b.data(), bytes);
  combine_function({type, operation})(std::span(to).subspan(1), std::span(from).subspan(1));
  std::vector<T> result(a.size());
  std::memcpy(result.data(), to.data() + 1, bytes);
  return result;
}

// Of two numbers below 128: 5 = 0101 and 3 = 0011, 0 and 6 = 0110.
template <class T>
void expect_integers(Type type) {
  const auto of = [&](Operation operation) { return combined<T>(type, operation, {5, 0, 0}, {3, 6, 0}); };
  EXPECT_THAT(of(Operation::max), ElementsAre(5, 6, 0));
  EXPECT_THAT(of(Operation::min), ElementsAre(3, 0, 0));
  EXPECT_THAT(of(Operation::sum), ElementsAre(8, 6, 0));
  EXPECT_THAT(of(Operation::prod), ElementsAre(15, 0, 0));
  EXPECT_THAT(of(Operation::land), ElementsAre(1, 0, 0));
  EXPECT_THAT(of(Operation::lor), ElementsAre(1, 1, 0));
  EXPECT_THAT(of(Operation::lxor), ElementsAre(0, 1, 0));
  EXPECT_THAT(of(Operation::band), ElementsAre(1, 0, 0));
  EXPECT_THAT(of(Operation::bor), ElementsAre(7, 6, 0));
  EXPECT_THAT(of(Operation::bxor), ElementsAre(6, 6, 0));
}

// The largest number plus 1 is the smallest. With M = 2^w - 1 unsigned, M * M = 1 modulo 2^w; with M =
// 2^(w-1) - 1 signed, M * M = 2^(2w-2) - 2^w + 1, which is 1 too. (-1 is M unsigned.)
template <class T>
void expect_wrapping(Type type) {
  constexpr T smallest = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();
  EXPECT_THAT(combined<T>(type, Operation::sum, {largest, smallest}, {1, largest}),
              ElementsAre(smallest, static_cast<T>(-1)));
  EXPECT_THAT(combined<T>(type, Operation::prod, {largest, smallest}, {largest, 2}), ElementsAre(1, 0));
  EXPECT_THAT(combined<T>(type, Operation::max, {largest, smallest}, {smallest, 1}), ElementsAre(largest, 1));
  EXPECT_THAT(combined<T>(type, Operation::min, {largest, smallest}, {smallest, 1}),
              ElementsAre(smallest, smallest));
  EXPECT_THAT(combined<T>(type, Operation::bxor, {largest}, {smallest}), ElementsAre(T(largest ^ smallest)));
}

template <class T>
void expect_floating_point(Type type) {
  const auto of = [&](Operation operation) { return combined<T>(type, operation, {0.5, -2}, {-0.25, 3}); };
  EXPECT_THAT(of(Operation::max), ElementsAre(T{0.5}, T{3}));
  EXPECT_THAT(of(Operation::min), ElementsAre(T{-0.25}, T{-2}));
  EXPECT_THAT(of(Operation::sum), ElementsAre(T{0.25}, T{1}));
  EXPECT_THAT(of(Operation::prod), ElementsAre(T{-0.125}, T{-6}));
}

TEST(Reduction, of_every_operation_on_every_type) {
  for (const Type type : all_types) {
    SCOPED_TRACE(name_of(type));
    visit_type(type, [&]<class T>(std::type_identity<T>) {
      EXPECT_EQ(element_bytes(type), sizeof(T));
      if constexpr (std::is_integral_v<T>) {
        expect_integers<T>(type);
        expect_wrapping<T>(type);
      } else {
        expect_floating_point<T>(type);
      }
    });
  }
}

TEST(Reduction, of_bytes_wraps_around_without_carry) {
  EXPECT_THAT(combined<std::uint8_t>(Reduction{}.type, Reduction{}.operation, {250, 1, 7}, {10, 2, 0}),
              ElementsAre(4, 3, 7));
}

// Long spans are combined by other instructions than short ones, and their ends by others again.
TEST(Reduction, of_every_length) {
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<std::int16_t> a, b, sums;
    for (std::size_t i = 0; i < count; ++i) {
      a.push_back(static_cast<std::int16_t>(1000 * i));
      b.push_back(static_cast<std::int16_t>(7 - static_cast<int>(i)));
      sums.push_back(static_cast<std::int16_t>(999 * i + 7));
    }
    EXPECT_EQ(combined(Type::int16, Operation::sum, a, b), sums);
  }
}

TEST(Reduction, refuses_logical_and_bitwise_operations_on_floating_point) {
  for (const Type type : all_types) {
    for (const Operation operation : all_operations) {
      const bool defined = !is_floating_point(type) || operation == Operation::max ||
                           operation == Operation::min || operation == Operation::sum ||
                           operation == Operation::prod;
      if (defined) {
        EXPECT_NE(combine_function({type, operation}), nullptr);
      } else {
        EXPECT_THROW(combine_function({type, operation}), Error);
      }
    }
  }
}

TEST(Reduction, names_are_read_back) {
  for (const Type type : all_types) EXPECT_EQ(parse_type(name_of(type)), type);
  for (const Operation operation : all_operations) EXPECT_EQ(parse_operation(name_of(operation)), operation);
  EXPECT_EQ(parse_type("byte"), Type::uint8);
  EXPECT_EQ(name_of(Type::float32), "float");
  EXPECT_EQ(name_of(Type::float64), "double");
  EXPECT_EQ(name_of(Operation::lxor), "lxor");
}

TEST(Reduction, unknown_names_are_refused_with_the_nearest) {
  const auto message = [](auto parse, std::string_view name) -> std::string {
    try {
      parse(name);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(parse_type, "duoble"), HasSubstr("unknown type 'duoble': did you mean double?"));
  EXPECT_THAT(message(parse_operation, "summ"), HasSubstr("did you mean sum"));
  EXPECT_THAT(message(parse_operation, ""), HasSubstr("known are max"));
}

}  // namespace
}  // namespace isotrope::local
