// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rounds for a number of packets, if each round takes at most a given number of them. What a round takes is a
// product of links and of packets a message; a plan file may state nearly 2^64 of the latter.
#pragma once

#include <cstdint>

namespace isotrope::schedule {

/// a / b, rounded up, for any a. @pre b > 0.
constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

/// a * b, or 2^64 - 1 if that is less.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

}  // namespace isotrope::schedule
