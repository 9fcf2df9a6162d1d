// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a piece must be in the end: its contributions, combined one after the other in the order of the nodes.
//
// Where the order of combination does not matter, what came must be the same to the bit. The sum or product
// of floating-point numbers x_1, ..., x_N goes through other roundings in every order. Whatever the order, no
// x_i passes more than N - 1 additions or multiplications, each of which is wrong by a factor 1 + d with
// |d| <= u, the unit roundoff; so what came may differ from the exact result by
//
//     sum        gamma * (|x_1| + ... + |x_N|)      gamma = (N - 1) u / (1 - (N - 1) u)
//     product    gamma * |x_1 * ... * x_N|
//
// provided nothing overflows or becomes subnormal (contributions.hpp). For the exact result stands one in
// wider precision, whose own gamma is added. The bound holds for every tree of combinations, and so does not
// ask which one a plan chose. It grows with N: in a sum of floats, from N^2 u near 1 on (some 4000 nodes), a
// lost contribution can hide below it. On integers nothing hides.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, Lemma 3.1 and Section 4.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

class Expectation {
 public:
  virtual ~Expectation() = default;

  /// Begins with the first contribution.
  virtual void begin(std::span<const std::byte> contribution) = 0;
  /// Combines the next one, of the same length.
  virtual void combine(std::span<const std::byte> contribution) = 0;
  /// "at byte 17: 0x01 instead of 0x02", or nothing where `came`, of the same length, is right. Places are
  /// counted from `offset` bytes on.
  virtual std::optional<std::string> error(std::span<const std::byte> came, std::uint64_t offset) = 0;
  /// The largest difference seen, as a share of |x_1| + ... + |x_N| or of the product.
  virtual double largest_rounding() const { return 0; }
};

/// The most bytes an expectation is given at a time: they stay in a first-level cache while all destinations
/// are compared with them.
inline constexpr std::uint64_t chunk_bytes = 8192;

/// To the bit.
std::unique_ptr<Expectation> exact_expectation(Combine function);
/// Within the bound, of `contributors` contributions. @pre is_rounded(reduction)
std::unique_ptr<Expectation> rounded_expectation(Reduction reduction, std::uint64_t contributors);

/// gamma of what came and of what it is compared with; infinite where N u >= 1. 0 where nothing is rounded.
double rounding_bound(Reduction reduction, std::uint64_t contributors);

}  // namespace isotrope::local
