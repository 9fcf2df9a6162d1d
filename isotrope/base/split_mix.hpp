// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random numbers, the same for a seed on every platform: the counter of SplitMix64, mixed.
//
// Source: Steele, Lea and Flood 2014; the mixer is Stafford's variant 13. Numbers below a bound come from a
// multiplication; the few products that would favour some numbers are drawn again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace isotrope {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// Any number of 64 bits.
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// 0..bound-1, each as likely as the others. @pre bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = scaled(bound);
    if (low(product) < bound) {
      const std::uint32_t uneven = (0 - bound) % bound;
      while (low(product) < uneven) product = scaled(bound);
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  std::uint64_t scaled(std::uint32_t bound) { return ((*this)() >> 32) * bound; }
  static std::uint32_t low(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

  std::uint64_t state_;
};

/// Puts the values in a random order.
template <class Value>
void shuffle(std::span<Value> values, SplitMix& random) {
  for (std::size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[random.below(static_cast<std::uint32_t>(left))]);
}

}  // namespace isotrope
