// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides parts in proportion to weights: every share is rounded up or down, as a common random shift says, so that shares of
// many divisions are right on average (systematic sampling). Cost: O(weights).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::forward {

/// Calls take(index, begin, end) for each stretch of 0..count-1 that is not empty, in order.
/// @pre weights are not negative, and not all 0
template <class Take>
void apportion(std::span<const double> weights, std::size_t count, SplitMix& random, const Take& take) {
  double total = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    if (weights[i] > 0) last = i;
  }
  const double shift = static_cast<double>(random() >> 11) * 0x1p-53;
  double before = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    if (weights[i] <= 0) continue;
    before += weights[i];
    const double share = before / total * static_cast<double>(count) + shift;
    const std::size_t end = i == last ? count : std::min(count, static_cast<std::size_t>(share));
    if (end > begin) take(i, begin, end);
    begin = std::max(begin, end);
  }
}

}  // namespace isotrope::forward
