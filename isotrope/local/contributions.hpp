// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Contributions of nodes to a reduction: pseudo-random elements (byte_stream.hpp), shaped so that a missing or
// doubled contribution changes the result, for any number of contributors. With N contributors and w-bit
// elements:
//
//     integers     sum, bxor, max, min   any bits
//                  prod                  any odd number: a unit modulo 2^w, so products do not become 0
//                  bor, band             bits are 1, or 0, with probability 2^-k, k = max(1, ceil(log2 N)), so
//                                        that a single contributor decides some of them
//                  lor, land             elements are true, or false, with that probability
//                  lxor                  elements are true with probability 1/2
//     float,       sum, max, min         multiples of 2^-24 (2^-53) in [-1, 1)
//     double       prod                  in [1 - 2^-s, 1 + 2^-s], s >= 1 with 63 * 2^s >= N: every product of
//                                        them lies within 2^-126..2^126, the normal numbers of float
//
// A doubled contribution to max, min, land, band, lor or bor does not change the result and is no error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isotrope/local/byte_stream.hpp"
#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

class Contributions {
 public:
  /// Contributions of `contributors` nodes. @pre `reduction` is defined.
  Contributions(Reduction reduction, std::uint64_t contributors, std::uint64_t seed);

  /// Writes to `out` the contribution of `contributor` to block `block` of `owner`, from byte `offset` on. The
  /// only contributor to a block that is not reduced is its owner.
  /// @pre offset and the length of out are whole numbers of elements.
  void write(std::span<std::byte> out, Node contributor, Node owner, std::uint32_t block,
             std::uint64_t offset) const;

 private:
  using Shape = void (*)(std::span<std::byte> elements, double spread);

  std::uint64_t seed_;
  unsigned streams_ = 1;  // their bitwise and is the contribution
  double spread_ = 1;
  Shape shape_ = nullptr;  // nullptr: unshaped
};

}  // namespace isotrope::local
