// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference of reproducible sums: one process folds the contributions of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isotrope/sum/reproducible_sum.hpp"

namespace isotrope::sum {

/// The sums of contribution(i, count), `count` numbers of type Value, for i in 0..contributors-1.
template <class Value, class Contribution>
std::vector<Value> serial_sum(int contributors, std::uint64_t count, const Contribution& contribution) {
  std::vector<Value> blocks, result(count);
  for (int i = 0; i < contributors; ++i) {
    const std::vector<Value> block = contribution(i, count);
    blocks.insert(blocks.end(), block.begin(), block.end());
  }
  ReproducibleSum(sizeof(Value) == 4 ? Real::binary32 : Real::binary64,
                  static_cast<std::uint64_t>(contributors))
      .fold(reinterpret_cast<const std::byte*>(blocks.data()), count,
            reinterpret_cast<std::byte*>(result.data()));
  return result;
}

}  // namespace isotrope::sum
