// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A time bound in words (time_bound.hpp): what it is made of, and what open axes, slow axes and link classes add to it.
// Lines begin with a label of 13 characters, as those of explain().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

/// All times of one explanation are in one unit, so that they can be compared.
struct DisplayUnit {
  std::string_view name;
  double seconds;
};

/// Microseconds, milliseconds or seconds, for times about as long as `seconds`.
DisplayUnit unit_for(double seconds);

/// "12.5 us".
std::string in(const DisplayUnit& unit, double seconds);

/// A line "  label         text".
std::string labelled(std::string_view label, const std::string& text);

/// A bound with the problem that it bounds. Refers to all of them.
struct BoundedSize {
  const Problem& problem;
  std::uint64_t bytes;
  const cost::Machine& machine;
  const TimeBound& bound;
};

/// The bound and its parts, a line each.
std::string bound_in_words(const TimeBound& bound, const DisplayUnit& unit);

/// What each open axis, each slow axis and each link class costs, a line each. Cost: a bound for each.
std::string costs_in_words(const BoundedSize& of, const DisplayUnit& unit);

}  // namespace isotrope::planner
