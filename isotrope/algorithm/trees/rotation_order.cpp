// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/rotation_order.hpp"

#include <algorithm>
#include <bit>

namespace isotrope::algorithm {
namespace {

// The word of `length` bits repeated over `dimension` bits, the last copy cut short.
std::uint32_t repeat(std::uint32_t word, std::uint32_t length, std::uint32_t dimension) {
  std::uint64_t filled = std::uint64_t{word} << (dimension - length);
  for (std::uint32_t copied = length; copied < dimension; copied *= 2) filled |= filled >> copied;
  return static_cast<std::uint32_t>(filled);
}

}  // namespace

// Duval's successor: repeat a Lyndon word to full length, drop the trailing ones and turn the last zero into a one.
// The words whose length divides d, repeated, are the necklaces, in increasing order.
std::vector<RotationClass> rotation_classes(std::uint32_t dimension) {
  const std::uint32_t all_ones = (std::uint32_t{1} << dimension) - 1;
  std::vector<RotationClass> classes;
  for (std::uint32_t full = 0; full != all_ones;) {
    const auto trailing_ones = static_cast<std::uint32_t>(std::countr_one(full));
    const std::uint32_t length = dimension - trailing_ones;
    full = repeat((full + 1) >> trailing_ones, length, dimension);
    if (dimension % length == 0) classes.push_back({full, length});
  }
  std::stable_sort(classes.begin(), classes.end(), [](RotationClass a, RotationClass b) {
    return std::popcount(a.necklace) < std::popcount(b.necklace);
  });
  return classes;
}

}  // namespace isotrope::algorithm
