// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/verify.hpp"

#include "isotrope/verify/claims.hpp"
#include "isotrope/verify/stage_check.hpp"
#include "isotrope/verify/structure.hpp"
#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

Report verify(const Plan& plan, const Options& options) {
  Report report;
  report.rounds = plan.schedule.round_count();
  report.hops = plan.schedule.hop_count();
  Violations violations(options.most_violations);
  check_structure(plan, violations);
  const bool sound = violations.count() == 0;
  if (sound) {
    for (std::size_t stage = 0; stage < plan.schedule.stages.size(); ++stage) {
      check_stage(plan, stage, options, violations, report);
    }
  }
  report.valid = violations.count() == 0;
  check_claims(plan, sound, report, violations);
  report.claims_hold = violations.count() == 0;
  report.violation_count = violations.count();
  report.violations = violations.take();
  return report;
}

std::string to_string(Rule rule) {
  switch (rule) {
    case Rule::structure:
      return "structure";
    case Rule::range:
      return "range";
    case Rule::failed:
      return "failed";
    case Rule::holding:
      return "holding";
    case Rule::link:
      return "link";
    case Rule::ports:
      return "ports";
    case Rule::delivery:
      return "delivery";
    case Rule::contribution:
      return "contribution";
    case Rule::claim:
      break;
  }
  return "claim";
}

}  // namespace isotrope::verify
