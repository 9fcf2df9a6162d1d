// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/sum/total_order.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace isotrope::sum {
namespace {

// Works on the bits of a number and on an integer of the same width, both as Bits.
template <class Bits, int fraction_bits>
struct Order {
  static constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits infinity = static_cast<Bits>(~sign_bit >> fraction_bits << fraction_bits);
  static constexpr Bits quiet_nan = infinity | Bits{1} << (fraction_bits - 1);

  static bool is_nan(Bits bits) { return (bits & ~sign_bit) > infinity; }
  static Bits mapped(Bits bits) { return (bits & sign_bit) != 0 ? bits ^ ~sign_bit : bits; }

  static Bits ordered(Bits bits, Extreme extreme) {
    if (is_nan(bits)) return extreme == Extreme::maximum ? ~sign_bit : sign_bit;
    return mapped(bits);
  }
  static Bits number(Bits integer) {
    const Bits bits = mapped(integer);
    return is_nan(bits) ? quiet_nan : bits;
  }
};
using Order32 = Order<std::uint32_t, 23>;
using Order64 = Order<std::uint64_t, 52>;

template <class Bits, class Map>
void map_each(const std::byte* from, std::uint64_t count, std::byte* to, const Map& map) {
  for (std::uint64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, from + i * sizeof(Bits), sizeof(Bits));
    bits = map(bits);
    std::memcpy(to + i * sizeof(Bits), &bits, sizeof(Bits));
  }
}

// Puts the extremes of two arrays of integers into the second.
template <class Integer>
void pick_each(Extreme extreme, const std::byte* from, std::byte* into, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count * sizeof(Integer); i += sizeof(Integer)) {
    Integer a, b;
    std::memcpy(&a, from + i, sizeof(a));
    std::memcpy(&b, into + i, sizeof(b));
    b = extreme == Extreme::maximum ? std::max(a, b) : std::min(a, b);
    std::memcpy(into + i, &b, sizeof(b));
  }
}

}  // namespace

void to_ordered(Real real, Extreme extreme, const std::byte* reals, std::uint64_t count,
                std::byte* integers) {
  if (real == Real::binary32) {
    map_each<std::uint32_t>(reals, count, integers,
                            [=](std::uint32_t bits) { return Order32::ordered(bits, extreme); });
  } else {
    map_each<std::uint64_t>(reals, count, integers,
                            [=](std::uint64_t bits) { return Order64::ordered(bits, extreme); });
  }
}

void from_ordered(Real real, const std::byte* integers, std::uint64_t count, std::byte* reals) {
  if (real == Real::binary32) {
    map_each<std::uint32_t>(integers, count, reals, Order32::number);
  } else {
    map_each<std::uint64_t>(integers, count, reals, Order64::number);
  }
}

void fold_extremes(Real real, Extreme extreme, std::byte* blocks, std::uint64_t number, std::uint64_t count) {
  to_ordered(real, extreme, blocks, number * count, blocks);
  const auto pick = real == Real::binary32 ? pick_each<std::int32_t> : pick_each<std::int64_t>;
  for (std::uint64_t i = 1; i < number; ++i)
    pick(extreme, blocks + i * count * bytes_of(real), blocks, count);
  from_ordered(real, blocks, count, blocks);
}

}  // namespace isotrope::sum
