// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/claims.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/schedule/plan_bound.hpp"

namespace isotrope::verify {
void check_claims(const Plan& plan, bool sound, Report& report, Violations& violations) {
  const auto fault = [&](std::string message) {
    violations.add([&] { return Violation{.rule = Rule::claim, .message = std::move(message)}; });
  };
  const std::vector<schedule::Bound> bounds = sound ? lower_bounds(plan) : std::vector<schedule::Bound>{};
  report.bound = bounds.empty() ? schedule::Bound{"none", 0, "no lower bound is known here"} : bounds.front();
  report.optimal = report.valid && !bounds.empty() && report.rounds == report.bound.value;

  const auto same_kind = std::find_if(bounds.begin(), bounds.end(), [&](const schedule::Bound& bound) {
    return bound.kind == plan.bound.kind;
  });
  if (same_kind != bounds.end() && same_kind->value != plan.bound.value) {
    fault(fmt::format("the {} bound is {}, not {}", plan.bound.kind, same_kind->value, plan.bound.value));
  }
  if (plan.claims.rounds != report.rounds) {
    fault(fmt::format("{} rounds claimed, {} counted", plan.claims.rounds, report.rounds));
  }
  if (plan.claims.hops != report.hops)
    fault(fmt::format("{} hops claimed, {} counted", plan.claims.hops, report.hops));
  if (plan.claims.optimal && !report.optimal) {
    fault(fmt::format("optimal is claimed, but {} rounds are not shown to be the least: {}", report.rounds,
                      report.valid ? report.bound.because : "the schedule is not valid"));
  }
  const bool combining = plan.schedule.round_kind == schedule::RoundKind::combining;
  if (combining && report.valid && plan.claims.link_load != report.link_load) {
    fault(fmt::format("link loads {} claimed, {} counted", plan.claims.link_load, report.link_load));
  }
}

}  // namespace isotrope::verify
