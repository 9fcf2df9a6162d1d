// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the planner want: a problem with preferences, by names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {

struct Wanted {
  Problem problem;
  Preferences preferences = {};

  Parameters parameters() const { return {.order = preferences.order}; }
};

/// A problem on a named network, with the ports of parse_port_model.
/// @throws Error for names that the parsers refuse.
Problem problem_on(std::string_view network, std::string_view collective, std::string_view ports = "all");

/// The same with a preferred algorithm.
Wanted wanted_on(std::string_view network, std::string_view collective, std::string_view ports = "all",
                 std::string algorithm = "");

inline const Algorithm& choose(const Wanted& wanted) {
  return choose(wanted.problem, wanted.preferences);
}
inline schedule::Plan make_plan(const Wanted& wanted) {
  return make_plan(wanted.problem, wanted.preferences);
}
inline std::optional<std::string> unsupported_reason(const Algorithm& algorithm, const Wanted& wanted) {
  return unsupported_reason(algorithm, wanted.problem, wanted.preferences);
}

/// The links of the benchmark in SimGrid: 1 us and 1 GB/s, and messages pass nodes without a stop. A message takes a
/// processor for `overhead_s` at both ends.
cost::Machine simgrid_machine(double overhead_s);

/// The message with which make_plan refuses; empty if it does not.
std::string refusal_of(const Wanted& wanted);

/// The collective by the name that schedule::parse_task reads.
std::string collective_name(const Algorithm& algorithm);

/// The algorithm for a collective by its name. @pre there is one.
const Algorithm& algorithm_named(std::string_view name, schedule::Collective collective);

/// The only algorithm of that name. @pre there is one.
const Algorithm& algorithm_named(std::string_view name);

/// Why `report` does not hold, for messages; empty if it is valid and its claims hold.
std::string fault_of(const verify::Report& report);

}  // namespace isotrope::planner
