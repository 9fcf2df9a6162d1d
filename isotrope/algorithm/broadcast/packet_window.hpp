// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets of packets that are under way at a time: a window of 64 * words slots, where slot s holds the packet p with
// p mod (64 * words) = s. The sets of all nodes fit in a word or a few, for any number of packets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace isotrope::algorithm {

/// A set of slots.
template <std::size_t words>
class SlotSet {
 public:
  static constexpr std::uint32_t capacity = 64 * words;

  static SlotSet of(std::uint32_t slot) {
    SlotSet result;
    result.insert(slot);
    return result;
  }
  void insert(std::uint32_t slot) { words_[slot / 64] |= std::uint64_t{1} << slot % 64; }
  void erase(std::uint32_t slot) { words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }
  bool empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  std::uint32_t size() const {
    std::uint32_t result = 0;
    for (const std::uint64_t word : words_) result += static_cast<std::uint32_t>(std::popcount(word));
    return result;
  }
  /// Calls `function(slot)` for every element, ascending.
  template <class Function>
  void for_each(Function&& function) const {
    for (std::uint32_t i = 0; i < words; ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        function(64 * i + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }

  friend SlotSet operator&(SlotSet a, const SlotSet& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend SlotSet operator^(SlotSet a, const SlotSet& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] ^= b.words_[i];
    return a;
  }
  friend SlotSet operator|(SlotSet a, const SlotSet& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  /// The elements of this set that are not in `other`.
  SlotSet without(const SlotSet& other) const {
    SlotSet result = *this;
    for (std::size_t i = 0; i < words; ++i) result.words_[i] &= ~other.words_[i];
    return result;
  }

 private:
  std::array<std::uint64_t, words> words_{};
};

/// The number of sets that hold each slot, bit-sliced; counts end at 31.
template <std::size_t words>
class SlotCounts {
 public:
  void add(SlotSet<words> set) {
    for (SlotSet<words>& plane : planes_) {
      const SlotSet<words> carry = plane & set;
      plane = plane ^ set;
      set = carry;
    }
    if (set.empty()) return;
    for (SlotSet<words>& plane : planes_) plane = plane | set;
  }
  /// Those of `slots` with the least count, and that count.
  std::pair<SlotSet<words>, std::uint32_t> least(SlotSet<words> slots) const {
    std::uint32_t count = 0;
    for (std::size_t i = planes_.size(); i-- > 0;) {
      if (const auto rest = slots.without(planes_[i]); !rest.empty()) {
        slots = rest;
      } else {
        count += 1U << i;
      }
    }
    return {slots, count};
  }

 private:
  std::array<SlotSet<words>, 5> planes_{};
};

}  // namespace isotrope::algorithm
