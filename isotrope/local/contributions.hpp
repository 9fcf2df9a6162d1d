// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes contribute to a reduction: pseudo-random elements (byte_stream.hpp), shaped so that a
// contribution which is missing or goes in twice can be seen in the result, however many there are. With N
// contributors and w-bit elements:
//
//     integers     sum, bxor, max, min   any bits
//                  prod                  any odd number: a unit modulo 2^w, so products do not become 0
//                  bor, band             bits are 1, or 0, with probability 2^-k, k = ceil(log2 N), at least
//                                        1: here and there a single contributor decides
//                  lor, land             elements are true, or false, with that probability
//                  lxor                  elements are true with probability 1/2
//     float,       sum, max, min         multiples of 2^-24 (2^-53) in [-1, 1)
//     double       prod                  in [1 - 2^-s, 1 + 2^-s], s >= 1 with 63 * 2^s >= N: every product of
//                                        them lies within 2^-126..2^126, the normal numbers of float
//
// A contribution in vain, twice into max, min, land, band, lor or bor, is no error and shows nowhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isotrope/local/byte_stream.hpp"
#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

class Contributions {
 public:
  /// Of `contributors` nodes to `reduction`, which is defined.
  Contributions(Reduction reduction, std::uint64_t contributors, std::uint64_t seed);

  /// Writes to `out` what `contributor` puts into block `block` of `owner`, from byte `offset` on. A block
  /// that is only carried has its owner as the one contributor.
  /// @pre offset and the length of out are whole numbers of elements.
  void write(std::span<std::byte> out, Node contributor, Node owner, std::uint32_t block,
             std::uint64_t offset) const;

 private:
  using Shape = void (*)(std::span<std::byte> elements, double spread);

  std::uint64_t seed_;
  unsigned streams_ = 1;  // of which a bit is 1 where it is 1 in all
  double spread_ = 1;
  Shape shape_ = nullptr;  // nullptr: as they are
};

}  // namespace isotrope::local
