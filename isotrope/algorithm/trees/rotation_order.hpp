// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of a hypercube's nodes by rotation classes, the basis of multinode broadcast and scatter.
//
// A rotation class is the set of rotations of a d-bit string; its least member is a necklace. The classes come by
// number of one bits, then by necklace, so the class of 2^k - 1 is the first among those with k ones. The nonzero
// strings have the numbers n = 0, 1, ... in this order, and string number n has the *leading bit* m = n mod d:
//
//     d = 4     n      0 1 2 3   4 5  6 7    8  9   10 11 12 13   14
//               t      1 2 4 8   3 6 12 9    5 10   13 11  7 14   15
//               m      0 1 2 3   0 1  2 3    0  1    2  3  0  1    2
//
// t is the necklace rotated left by m, so bit m of t is always 1 (a necklace is odd), d consecutive strings have d
// different leading bits, and class members follow each other by single rotations, for any period. With P parts a
// class is run through P times before the next one begins, which keeps all of this.
//
// Cost: O(2^d / d) to list the necklaces (J.-P. Duval's successor), O(1) per string after that.
// Source: Bertsekas et al. 1991, Section 2, with a uniform choice of first elements.
#pragma once

#include <cstdint>
#include <vector>

namespace isotrope::algorithm {

/// A necklace and the number of its different rotations.
struct RotationClass {
  std::uint32_t necklace;
  std::uint32_t period;
};

/// The rotation classes of the nonzero strings of `dimension` bits (1..26) by number of ones, then by value.
std::vector<RotationClass> rotation_classes(std::uint32_t dimension);

/// `bits` rotated left by `by` (0..dimension-1) within `dimension` bits.
inline std::uint32_t rotate_left(std::uint32_t bits, std::uint32_t by, std::uint32_t dimension) {
  const std::uint32_t mask = (std::uint32_t{1} << dimension) - 1;
  return ((bits << by) | (bits >> (dimension - by))) & mask;
}

/// Calls visit(t, m, part) for every nonzero string and part, in the order above.
///
/// The parts of 11..1 come last part first. Its parent in the broadcast tree is the second member of its
/// part's last full class; for the last part that lies d-1 numbers back when it comes first, and never in the
/// same block of d, because d does not divide (2^d - 2) P + 1 for any d from 2 to 26.
template <class Visit>
void for_each_in_rotation_order(std::uint32_t dimension, std::uint32_t parts, Visit visit) {
  std::uint32_t m = 0;
  for (const RotationClass rotations : rotation_classes(dimension)) {
    const bool all_ones = rotations.necklace == (std::uint32_t{1} << dimension) - 1;
    for (std::uint32_t i = 0; i < parts; ++i) {
      const std::uint32_t part = all_ones ? parts - 1 - i : i;
      for (std::uint32_t j = 0; j < rotations.period; ++j) {
        visit(rotate_left(rotations.necklace, m, dimension), m, part);
        m = m + 1 == dimension ? 0 : m + 1;
      }
    }
  }
}

}  // namespace isotrope::algorithm
