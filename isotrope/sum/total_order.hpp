// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Floating-point numbers as integers in the same order, so that the maximum and the minimum of several are the same in any
// order of comparison:
//
//     -infinity < ... < -0 < +0 < ... < +infinity
//
// A NaN is the greatest of a maximum and the least of a minimum, so it wins; the result is the one quiet NaN without sign
// and payload. Libraries that compute a > b ? a : b keep the one or the other, by the order of their operands.
//
// Method: negative numbers have their other bits inverted, which makes two's complement of sign and magnitude. Mapping back
// is the same step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isotrope/sum/reproducible_sum.hpp"

namespace isotrope::sum {

enum class Extreme : std::uint8_t { maximum, minimum };

/// The integers, signed and as wide as a number, of `count` numbers. Both arrays may be the same.
void to_ordered(Real real, Extreme extreme, const std::byte* reals, std::uint64_t count, std::byte* integers);
/// The numbers of `count` integers. Both arrays may be the same.
void from_ordered(Real real, const std::byte* integers, std::uint64_t count, std::byte* reals);

/// Makes the first of `number` blocks of `count` numbers each, one block after the other, the extremes of all; the order of
/// the blocks does not matter. All are overwritten. No address need be aligned. @pre at least one block
void fold_extremes(Real real, Extreme extreme, std::byte* blocks, std::uint64_t number, std::uint64_t count);

}  // namespace isotrope::sum
