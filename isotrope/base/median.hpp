// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The middle of measured values: of an even number of them, the upper one of the two in the middle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace isotrope {

/// @pre `values` is not empty. Cost: O(values).
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace isotrope
