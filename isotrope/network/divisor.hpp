// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact division of node numbers by a constant, without a division.
//
// With s = 26 + ceil(log2 d) the quotient of a number below 2^26 by d is its product with ceil(2^s / d),
// shifted right by s: exact, and below 2^53 on the way (T. Granlund and P. Montgomery, Division by invariant
// integers using multiplication, 1994, Theorem 4.2).
#pragma once

#include <bit>
#include <cstdint>

namespace isotrope::network {

class Divisor {
 public:
  /// @pre 1 <= divisor <= 2^26.
  explicit Divisor(std::uint32_t divisor)
      : value_(divisor),
        shift_(26 + static_cast<int>(std::bit_width(divisor - 1))),
        reciprocal_(((std::uint64_t{1} << shift_) - 1) / divisor + 1) {}

  std::uint32_t value() const { return value_; }
  /// floor(dividend / value()) for dividend < 2^26.
  std::uint32_t quotient(std::uint32_t dividend) const {
    return static_cast<std::uint32_t>((dividend * reciprocal_) >> shift_);
  }

 private:
  std::uint32_t value_;
  int shift_;
  std::uint64_t reciprocal_;
};

}  // namespace isotrope::network
