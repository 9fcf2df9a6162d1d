// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The expected final contents of a piece: its contributions, combined in the order of the nodes.
//
// If the order of combination does not matter, the result must be equal to the bit. Sums and products of
// floating-point numbers x_1, ..., x_N depend on the order. In any order each x_i passes at most N - 1 additions
// or multiplications, each with a relative error of at most u, the unit roundoff. So the result may differ from
// the exact one by
//
//     sum        gamma * (|x_1| + ... + |x_N|)      gamma = (N - 1) u / (1 - (N - 1) u)
//     product    gamma * |x_1 * ... * x_N|
//
// provided that no number overflows or becomes subnormal (contributions.hpp). A result in wider precision
// replaces the exact one; its own gamma is added. The bound holds for every tree of combinations. The bound
// grows with N: in a sum of floats, a lost contribution may be below the bound if N^2 u is near 1 or more (some
// 4000 nodes). On integers the check misses nothing.
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
  /// Combines the next contribution, of the same length.
  virtual void combine(std::span<const std::byte> contribution) = 0;
  /// "at byte 17: 0x01 instead of 0x02", or nothing if `received`, of the same length, is correct.
  /// @param offset of `received` in its piece, in bytes
  virtual std::optional<std::string> error(std::span<const std::byte> received, std::uint64_t offset) = 0;
  /// The largest difference so far, as a share of |x_1| + ... + |x_N| or of the product.
  virtual double largest_rounding() const { return 0; }
};

/// The most bytes of one call: they stay in a first-level cache while all destinations are compared.
inline constexpr std::uint64_t chunk_bytes = 8192;

/// Expects equality to the bit.
std::unique_ptr<Expectation> exact_expectation(Combine function);
/// Expects differences within the bound. @pre is_rounded(reduction)
std::unique_ptr<Expectation> rounded_expectation(Reduction reduction, std::uint64_t contributors);

/// The sum of gamma and the gamma of the wider precision: infinite if N u >= 1, 0 if nothing is rounded.
double rounding_bound(Reduction reduction, std::uint64_t contributors);

}  // namespace isotrope::local
