// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A lower bound: a number of rounds that no schedule can beat, with the reason. isotrope/bound computes the
// bounds of a problem; a plan states the largest of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isotrope::schedule {

struct Bound {
  std::string kind;  ///< a word of bound/lower_bounds.hpp
  std::uint64_t value = 0;
  std::string because;  ///< the reason in words and numbers
  /// Of port-sum only: the weight of every port, from which the value follows.
  std::vector<std::uint32_t> weights = {};

  bool operator==(const Bound&) const = default;
};

}  // namespace isotrope::schedule
