// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/exact_count.hpp"

#include <fmt/format.h>

namespace isotrope::network {

ExactCount::ExactCount(std::uint32_t value) {
  carry_over(value);
}

ExactCount& ExactCount::operator+=(const ExactCount& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const std::uint64_t sum = carry + limbs_[i] + (i < other.limbs_.size() ? other.limbs_[i] : 0);
    limbs_[i] = static_cast<std::uint32_t>(sum % limb_base);
    carry = sum / limb_base;
  }
  carry_over(carry);
  return *this;
}

ExactCount& ExactCount::operator*=(std::uint32_t factor) {
  if (factor == 0) limbs_.clear();
  std::uint64_t carry = 0;
  for (std::uint32_t& limb : limbs_) {
    const std::uint64_t product = carry + std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(product % limb_base);
    carry = product / limb_base;
  }
  carry_over(carry);
  return *this;
}

ExactCount& ExactCount::operator/=(std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    const std::uint64_t dividend = remainder * limb_base + limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(dividend / divisor);
    remainder = dividend % divisor;
  }
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  return *this;
}

std::string ExactCount::to_string() const {
  if (limbs_.empty()) return "0";
  std::string text = fmt::format("{}", limbs_.back());
  for (std::size_t i = limbs_.size() - 1; i-- > 0;) text += fmt::format("{:09}", limbs_[i]);
  return text;
}

void ExactCount::carry_over(std::uint64_t carry) {
  for (; carry > 0; carry /= limb_base) limbs_.push_back(static_cast<std::uint32_t>(carry % limb_base));
}

}  // namespace isotrope::network
