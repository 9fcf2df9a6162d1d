// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope plan: makes a plan, verifies it, writes it to a file. With --bytes the plan is the fastest for that size on
// the machine of the options, or on cluster(); without, it is the one with the fewest rounds.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/choice.hpp"
#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"

namespace isotrope::app {

int plan_command(const PlanOptions& options) {
  std::optional<planner::Choice> choice;
  Subject subject = [&] {
    if (!options.bytes) return chosen_plan(options);
    ChosenPlan chosen = chosen_by_size(options);
    choice = std::move(chosen.choice);
    return std::move(chosen.subject);
  }();
  const verify::Report report = verified(subject);
  if (report.valid) write_chosen_plan(options, subject.plan);
  const bool written = report.valid && !options.output.empty();
  if (options.json) {
    Json facts = facts_of(subject);
    add_findings(facts, subject.plan, report);
    if (choice) add_choice(facts, options, *choice);
    facts["seconds"] = subject.seconds;
    facts["verify_seconds"] = subject.verify_seconds;
    if (written) facts["file"] = options.output;
    print(answer("plan", facts));
  } else {
    print(headline(subject) + findings_in_words(subject, report) +
          line("time", fmt::format("planned in {}, verified in {}", format_seconds(subject.seconds),
                                   format_seconds(subject.verify_seconds))) +
          (written ? line("written to", options.output) : "") +
          (choice ? choice_in_words(options, *choice) : ""));
  }
  return report.valid ? 0 : 1;
}

}  // namespace isotrope::app
