// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances in a product are sums of distances in its factors, so how many nodes are at which distance is a convolution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isotrope::network {

/// The coefficients of the product of two polynomials. @pre neither is empty.
inline std::vector<std::uint64_t> convolution(const std::vector<std::uint64_t>& a,
                                              const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> sums(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sums[i + j] += a[i] * b[j];
  }
  return sums;
}

}  // namespace isotrope::network
