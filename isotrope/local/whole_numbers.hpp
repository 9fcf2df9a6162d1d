// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of counts without overflow: saturating sums and products, and shares of a whole number.
#pragma once

#include <cstdint>

namespace isotrope::local {

/// a + b, or 2^64-1 if the sum is larger.
inline std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// a b, or 2^64-1 if the product is larger.
inline std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// The begin of share `index` if 0..total-1 are divided into `shares` nearly equal shares: floor(index * total /
/// shares). A share ends at the begin of the next; some are empty if there are more shares than items.
/// @pre 0 <= index <= shares, 0 < shares < 2^32.
constexpr std::uint64_t share_begin(std::uint64_t index, std::uint64_t total, std::uint64_t shares) {
  return index * (total / shares) + index * (total % shares) / shares;
}

}  // namespace isotrope::local
