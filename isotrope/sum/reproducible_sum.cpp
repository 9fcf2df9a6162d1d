// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/sum/reproducible_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::sum {
namespace {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

template <class Value>
Value load(const std::byte* from, std::uint64_t index = 0) {
  Value result;
  std::memcpy(&result, from + index * sizeof(Value), sizeof(Value));
  return result;
}

template <class Value>
void store(Value value, std::byte* to, std::uint64_t index = 0) {
  std::memcpy(to + index * sizeof(Value), &value, sizeof(Value));
}

// The bits of a number: sign, biased exponent, fraction.
struct Binary32 {
  using Bits = std::uint32_t;
  static constexpr int fraction_bits = 23, largest_exponent = 255;
};
struct Binary64 {
  using Bits = std::uint64_t;
  static constexpr int fraction_bits = 52, largest_exponent = 2047;
};

// Integers in memory: a word, and 16 bits above it where there is a `High`. All wrap.
struct Integer48 {
  using Signed = std::int64_t;
  using Unsigned = std::uint64_t;
  using Low = std::uint32_t;
  static constexpr int bits = 48;
};
struct Integer64 {
  using Signed = std::int64_t;
  using Unsigned = std::uint64_t;
  using Low = std::uint64_t;
  static constexpr int bits = 64;
};
struct Integer80 {
  using Signed = Int128;
  using Unsigned = Uint128;
  using Low = std::uint64_t;
  static constexpr int bits = 80;
};

template <class Integer>
struct InMemory {
  using Low = typename Integer::Low;
  using Unsigned = typename Integer::Unsigned;
  static constexpr int low_bits = 8 * static_cast<int>(sizeof(Low));
  static constexpr std::uint64_t bytes = Integer::bits / 8;

  // As a number that wraps at more bits than the integer has.
  static Unsigned read(const std::byte* integers, std::uint64_t index) {
    const std::byte* at = integers + index * bytes;
    const auto low = static_cast<Unsigned>(load<Low>(at));
    if constexpr (Integer::bits == low_bits) {
      return low;
    } else {
      const auto high = static_cast<typename Integer::Signed>(load<std::int16_t>(at + sizeof(Low)));
      return static_cast<Unsigned>(high) << low_bits | low;
    }
  }
  static void write(Unsigned value, std::byte* integers, std::uint64_t index) {
    std::byte* at = integers + index * bytes;
    store(static_cast<Low>(value), at);
    if constexpr (Integer::bits != low_bits)
      store(static_cast<std::uint16_t>(value >> low_bits), at + sizeof(Low));
  }
};

int width_of(std::uint64_t value) {
  return static_cast<int>(std::bit_width(value));
}
int width_of(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + width_of(high) : width_of(static_cast<std::uint64_t>(value));
}

// value / 2^shift, to the nearest, half to even. 0 <= shift < the bits of the type, and the value has its highest bit free.
template <class Unsigned>
Unsigned shifted_to_nearest(Unsigned value, int shift) {
  const Unsigned one = 1;
  const Unsigned floor = value >> shift, rest = value & ((one << shift) - 1);
  return floor + (2 * rest + (floor & 1) > one << shift ? 1 : 0);
}

// One row of the table in the header. `KeyType` holds the keys, one of `grid` exponents each.
template <class Number, class Integer, class KeyType, int grid>
struct Row {
  using Bits = typename Number::Bits;
  using Signed = typename Integer::Signed;
  using Unsigned = typename Integer::Unsigned;
  using Memory = InMemory<Integer>;

  static constexpr int fraction_bits = Number::fraction_bits;
  static constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits infinity = static_cast<Bits>(Number::largest_exponent) << fraction_bits;
  static constexpr Bits quiet_nan = infinity | Bits{1} << (fraction_bits - 1);
  static constexpr Bits fraction_mask = (Bits{1} << fraction_bits) - 1;

  static constexpr unsigned minus_zero = 0, plus_zero = 1;
  static constexpr unsigned largest_key = (Number::largest_exponent - 2 + grid) / grid + 1;
  static constexpr unsigned special = largest_key + 1;
  static_assert(special <= static_cast<KeyType>(-1));

  // The integers of special numbers count them in three fields, each wider than the number of contributions.
  static constexpr int field_bits = (Integer::bits - 1) / 3;

  static int exponent_of(Bits bits) { return static_cast<int>((bits & ~sign_bit) >> fraction_bits); }
  // The largest exponent of the numbers of a key.
  static int top_of(unsigned key) { return grid * (static_cast<int>(key) - 1); }

  static unsigned key_of(Bits bits) {
    const Bits magnitude = bits & ~sign_bit;
    if (magnitude == 0) return bits == 0 ? plus_zero : minus_zero;
    const int exponent = std::max(exponent_of(bits), 1);
    if (exponent == Number::largest_exponent) return special;
    return static_cast<unsigned>((exponent + grid - 1) / grid) + 1;
  }

  static Unsigned integer_of(int spare_bits, Bits bits, unsigned key) {
    const int exponent = exponent_of(bits);
    if (key == special) {
      if (exponent != Number::largest_exponent) return 0;
      const int field = (bits & fraction_mask) != 0 ? 2 : (bits & sign_bit) != 0 ? 1 : 0;
      return Unsigned{1} << (field * field_bits);
    }
    if (key <= plus_zero) return 0;
    const Bits hidden = exponent == 0 ? 0 : Bits{1} << fraction_bits;
    const Unsigned magnitude = static_cast<Unsigned>((bits & fraction_mask) | hidden)
                               << (Integer::bits - fraction_bits - 2);
    const int shift = spare_bits + top_of(key) - std::max(exponent, 1);
    if (shift >= Integer::bits) return 0;
    const Unsigned rounded = shifted_to_nearest(magnitude, shift);
    return (bits & sign_bit) != 0 ? Unsigned{0} - rounded : rounded;
  }

  static Bits real_of_counts(Unsigned counts) {
    const Unsigned field = (Unsigned{1} << field_bits) - 1;
    const bool has_nan = (counts >> (2 * field_bits)) != 0;
    const bool has_minus = ((counts >> field_bits) & field) != 0, has_plus = (counts & field) != 0;
    if (has_nan || (has_minus && has_plus)) return quiet_nan;
    return has_minus ? infinity | sign_bit : infinity;
  }

  static Bits real_of(int spare_bits, Unsigned sum, unsigned key) {
    if (key == minus_zero) return sign_bit;
    if (key == special) return real_of_counts(sum);
    if (sum == 0) return 0;
    const bool negative = static_cast<Signed>(sum) < 0;
    const Unsigned magnitude = negative ? Unsigned{0} - sum : sum;
    // Units count binary orders from the least subnormal number: of the last place of the integer, and of the result.
    const int unit = top_of(key) + fraction_bits - (Integer::bits - 1 - spare_bits);
    const int result_unit = std::max(unit + width_of(magnitude) - fraction_bits - 1, 0);
    const int shift = result_unit - unit;
    const Unsigned significand = shift <= 0 ? magnitude << -shift : shifted_to_nearest(magnitude, shift);
    // The leading bit of the significand, if it has one, and a carry of the rounding go into the exponent.
    const Unsigned bits = (static_cast<Unsigned>(result_unit) << fraction_bits) + significand;
    const Bits finite = bits >= infinity ? infinity : static_cast<Bits>(bits);
    return negative ? finite | sign_bit : finite;
  }

  static void keys(const std::byte* reals, std::uint64_t count, std::byte* result) {
    for (std::uint64_t i = 0; i < count; ++i)
      store(static_cast<KeyType>(key_of(load<Bits>(reals, i))), result, i);
  }
  static void maximise(const std::byte* from, std::byte* into, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      store(std::max(load<KeyType>(from, i), load<KeyType>(into, i)), into, i);
  }
  static void to_integers(int spare_bits, const std::byte* reals, const std::byte* keys, std::uint64_t count,
                          std::byte* integers) {
    for (std::uint64_t i = 0; i < count; ++i)
      Memory::write(integer_of(spare_bits, load<Bits>(reals, i), load<KeyType>(keys, i)), integers, i);
  }
  static void add(const std::byte* from, std::byte* into, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
      Memory::write(Memory::read(from, i) + Memory::read(into, i), into, i);
  }
  static void from_integers(int spare_bits, const std::byte* integers, const std::byte* keys,
                            std::uint64_t count, std::byte* reals) {
    for (std::uint64_t i = 0; i < count; ++i)
      store(real_of(spare_bits, Memory::read(integers, i), load<KeyType>(keys, i)), reals, i);
  }
  // Piece by piece, so that keys and sums stay in the cache.
  static void fold(int spare_bits, std::uint64_t contributions, const std::byte* blocks, std::uint64_t count,
                   std::byte* reals) {
    constexpr std::uint64_t most = 256;
    std::array<unsigned, most> keys;
    std::array<Unsigned, most> sums;
    for (std::uint64_t begin = 0; begin < count; begin += most) {
      const std::uint64_t piece = std::min(most, count - begin);
      keys.fill(0);
      sums.fill(0);
      for (std::uint64_t block = 0; block < contributions; ++block) {
        for (std::uint64_t i = 0; i < piece; ++i)
          keys[i] = std::max(keys[i], key_of(load<Bits>(blocks, block * count + begin + i)));
      }
      for (std::uint64_t block = 0; block < contributions; ++block) {
        for (std::uint64_t i = 0; i < piece; ++i)
          sums[i] += integer_of(spare_bits, load<Bits>(blocks, block * count + begin + i), keys[i]);
      }
      for (std::uint64_t i = 0; i < piece; ++i)
        store(real_of(spare_bits, sums[i], keys[i]), reals, begin + i);
    }
  }

  static constexpr ReproducibleSum::Format functions{sizeof(KeyType), Memory::bytes, keys,          maximise,
                                                     to_integers,     add,           from_integers, fold};
};

const ReproducibleSum::Format& format_for(Real real, std::uint64_t contributions) {
  constexpr std::uint64_t most_of_64_bits = 64, most_of_48_bits = 4096;
  if (real == Real::binary64) {
    return contributions <= most_of_64_bits ? Row<Binary64, Integer64, std::uint16_t, 1>::functions
                                            : Row<Binary64, Integer80, std::uint8_t, 9>::functions;
  }
  return contributions <= most_of_48_bits ? Row<Binary32, Integer48, std::uint8_t, 2>::functions
                                          : Row<Binary32, Integer64, std::uint8_t, 2>::functions;
}

std::uint64_t checked(std::uint64_t contributions) {
  if (contributions >= 1 && contributions <= ReproducibleSum::most_contributions) return contributions;
  throw Error(fmt::format("a reproducible sum of {} contributions: give 1..{}", contributions,
                          ReproducibleSum::most_contributions));
}

}  // namespace

ReproducibleSum::ReproducibleSum(Real real, std::uint64_t contributions)
    : contributions_(checked(contributions)),
      spare_bits_(width_of(contributions - 1)),
      format_(&format_for(real, contributions)) {}

}  // namespace isotrope::sum
