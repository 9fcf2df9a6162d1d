// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of one class's arenas while a program is compiled: places at the end, and transit slots that are
// used again.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/local/saturating.hpp"

namespace isotrope::local {

class Layout {
 public:
  /// A new place for `bytes` bytes.
  std::uint64_t append(std::uint64_t bytes) {
    const std::uint64_t place = end_;
    end_ = saturating_add(end_, bytes);
    return place;
  }

  /// A transit slot, used before where one is free; all have `bytes` bytes. The one freed last comes first:
  /// it is the likeliest to be in a cache.
  std::uint64_t take_slot(std::uint64_t bytes) {
    if (free_.empty()) return append(bytes);
    const std::uint64_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void free_slot(std::uint64_t slot) { free_.push_back(slot); }

  /// Bytes laid out so far.
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
  std::vector<std::uint64_t> free_;
};

}  // namespace isotrope::local
