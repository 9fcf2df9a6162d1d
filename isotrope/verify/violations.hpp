// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of violations under construction: keeps the first ones, counts all.
#pragma once

#include <cstdint>
#include <utility>

#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {

class Violations {
 public:
  explicit Violations(std::uint64_t most) : most_(most) {}

  /// Counts a violation and keeps what `make()` returns if there is room; the message is not built otherwise.
  template <class Make>
  void add(Make make) {
    if (count_++ < most_) kept_.push_back(make());
  }

  std::uint64_t count() const { return count_; }
  std::vector<Violation> take() { return std::move(kept_); }

 private:
  std::uint64_t most_;
  std::uint64_t count_ = 0;
  std::vector<Violation> kept_;
};

}  // namespace isotrope::verify
