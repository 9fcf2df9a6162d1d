// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A number of routes, exactly: as many digits as it takes.
//
// Convention: nine decimal digits a limb, the lowest limb first, no leading limbs of 0; so to print costs no
// division.
// Cost: an operation takes O(digits).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isotrope::network {

class ExactCount {
 public:
  explicit ExactCount(std::uint32_t value = 0);

  ExactCount& operator+=(const ExactCount& other);
  ExactCount& operator*=(std::uint32_t factor);
  /// Drops the remainder. @pre divisor > 0.
  ExactCount& operator/=(std::uint32_t divisor);

  /// In decimal.
  std::string to_string() const;

  bool operator==(const ExactCount&) const = default;

 private:
  static constexpr std::uint64_t limb_base = 1'000'000'000;

  void carry_over(std::uint64_t carry);

  std::vector<std::uint32_t> limbs_;
};

}  // namespace isotrope::network
