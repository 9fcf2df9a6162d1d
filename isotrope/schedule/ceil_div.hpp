// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rounds for a number of packets, if each round takes at most a given number of them.
#pragma once

#include <cstdint>

namespace isotrope::schedule {

/// a / b, rounded up, for any a. @pre b > 0.
constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

}  // namespace isotrope::schedule
