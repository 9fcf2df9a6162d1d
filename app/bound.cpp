// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bound: the lower bounds on the rounds of every schedule, with reasons.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/listed_problem.hpp"
#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/bound/work.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

// A problem, from a plan file or from the options, with its bounds.
struct BoundedProblem {
  schedule::Problem problem;
  std::vector<schedule::Bound> bounds;
};

BoundedProblem bounded(const BoundOptions& options) {
  if (names_a_plan_file(options)) {
    const schedule::Plan plan = chosen_plan_file(options);
    return {problem_of(plan), bound::listed_bounds(plan)};
  }
  schedule::Problem problem = chosen_problem(options);
  planner::require_solvable(problem);
  std::vector<schedule::Bound> bounds = bound::lower_bounds(problem);
  return {std::move(problem), std::move(bounds)};
}

}  // namespace

int bound_command(const BoundOptions& options) {
  const auto [problem, bounds] = bounded(options);
  const std::uint64_t transmissions = bound::least_transmissions(problem);  // 0: unknown
  if (options.json) {
    Json facts = facts_of(problem);
    if (transmissions > 0) facts["transmissions"] = transmissions;
    Json list = Json::array();
    for (const auto& [kind, value, because, weights] : bounds)
      list.push_back({{"kind", kind}, {"value", value}, {"because", because}});
    if (!bounds.empty()) facts["bound"] = std::as_const(list)[0];
    facts["bounds"] = std::move(list);
    print_or_write(options, answer("bound", facts));
    return 0;
  }
  const std::string sent = transmissions > 0 ? fmt::format(" and {} transmissions", transmissions) : "";
  std::string text = heading(problem) + ": " +
                     (bounds.empty() ? "no lower bound is known\n"
                                     : fmt::format("at least {} rounds{}\n", bounds.front().value, sent));
  for (const schedule::Bound& bound : bounds) {
    text += line(bound.kind, fmt::format("{:>8}  {}", bound.value, bound.because));
  }
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
