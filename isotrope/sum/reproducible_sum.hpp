// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of floating-point numbers whose bits depend on the contributions and their number alone, not on the order in which
// they are added.
//
//     key         of a number: where its exponent stands, coarsely. Keys are unsigned; the key of a sum is their maximum
//     integer     of a number: a multiple of 2^(E - b), where the key of the sum says E, and |x| < 2^E
//     sum         of the integers, which is exact and so the same in any order, rounded once to the nearest number
//
//     number      contributions n    W bits of an integer    key                        g
//     binary64    up to 64           64                      2 bytes, every exponent    1
//     binary64    above              80                      1 byte, every ninth        9
//     binary32    up to 4,096        48                      1 byte, every second       2
//     binary32    above              64                      1 byte, every second       2
//
//     h = ceil(log2 n), b = W - 1 - h
//     key 0: -0;  1: +0;  k >= 2: |x| < 2^E, where E is the bias-free exponent of the largest number of key k;
//     the largest key: infinities and NaN, whose integers count them
//
// - No integer overflows: |x| has at most b bits, so |q| <= 2^b - 2^(b-p) with the p = 24 or 53 bits of a number, and
//   n |q| < 2^(W-1).
// - Error: each contribution is rounded by 2^(E-b-1) at most, and max|x| >= 2^(E-g). So the sum errs by n 2^(h+g-W) max|x|
//   at most, max|x| at least the least normal number, and half a unit in the last place of the result.
// - Zeros: the sum is -0 if all contributions are, else a sum of zero is +0. Infinities: the infinity; of both signs, or
//   with a NaN, the sum is the one quiet NaN without sign and payload. A sum that exceeds the range only in between does not
//   overflow. Subnormal numbers are numbers like others.
//
// Only integers are computed with: neither the rounding mode nor a compiler's contraction matters. Complex numbers are two
// reals each. Cost of a contribution: some 15 integer instructions. Proofs: docs/reproducible.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isotrope::sum {

/// The formats of IEEE 754 that are summed: float and double.
enum class Real : std::uint8_t { binary32, binary64 };

/// Bytes of a number.
constexpr std::uint64_t bytes_of(Real real) {
  return real == Real::binary32 ? 4 : 8;
}

class ReproducibleSum {
 public:
  static constexpr std::uint64_t most_contributions = std::uint64_t{1} << 20;

  /// @param contributions 1..most_contributions. @throws Error if there are more or none
  ReproducibleSum(Real real, std::uint64_t contributions);

  std::uint64_t key_bytes() const { return format_->key_bytes; }
  std::uint64_t integer_bytes() const { return format_->integer_bytes; }

  /// The keys of `count` numbers: unsigned integers of key_bytes(). The key of a sum is the maximum.
  void keys(const std::byte* reals, std::uint64_t count, std::byte* keys) const {
    format_->keys(reals, count, keys);
  }
  /// into = the greater of from and into, for `count` keys each.
  void maximise(const std::byte* from, std::byte* into, std::uint64_t count) const {
    format_->maximise(from, into, count);
  }
  /// The integers of `count` numbers under the keys of their sums. No address need be aligned.
  void to_integers(const std::byte* reals, const std::byte* keys, std::uint64_t count,
                   std::byte* integers) const {
    format_->to_integers(spare_bits_, reals, keys, count, integers);
  }
  /// into = from + into, for `count` integers each.
  void add(const std::byte* from, std::byte* into, std::uint64_t count) const {
    format_->add(from, into, count);
  }
  /// The sums, from the sums of all integers under their keys.
  void from_integers(const std::byte* integers, const std::byte* keys, std::uint64_t count,
                     std::byte* reals) const {
    format_->from_integers(spare_bits_, integers, keys, count, reals);
  }
  /// The sums of `contributions` blocks of `count` numbers each, one block after the other: the same bits as by the functions
  /// above. `contributions` is that of the constructor. The result may be one of the blocks.
  void fold(const std::byte* blocks, std::uint64_t count, std::byte* reals) const {
    format_->fold(spare_bits_, contributions_, blocks, count, reals);
  }

  /// The functions of one row of the table above.
  struct Format {
    std::uint64_t key_bytes, integer_bytes;
    void (*keys)(const std::byte*, std::uint64_t, std::byte*);
    void (*maximise)(const std::byte*, std::byte*, std::uint64_t);
    void (*to_integers)(int, const std::byte*, const std::byte*, std::uint64_t, std::byte*);
    void (*add)(const std::byte*, std::byte*, std::uint64_t);
    void (*from_integers)(int, const std::byte*, const std::byte*, std::uint64_t, std::byte*);
    void (*fold)(int, std::uint64_t, const std::byte*, std::uint64_t, std::byte*);
  };

 private:
  std::uint64_t contributions_;
  int spare_bits_;  // h
  const Format* format_;
};

}  // namespace isotrope::sum
