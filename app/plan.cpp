// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope plan: makes a plan, verifies it, writes it to a file. For a machine, or to explain, the plan is
// the fastest for blocks of --bytes; else the one with the fewest rounds.
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/choice.hpp"
#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {

int plan_command(const Options& options) {
  std::optional<planner::Choice> choice;
  Subject subject = [&] {
    if (!asks_for_choice(options)) return chosen_plan(options);
    ChosenPlan chosen = chosen_by_size(options);
    choice = std::move(chosen.choice);
    return std::move(chosen.subject);
  }();
  const verify::Report report = verified(subject);
  if (report.valid) write_chosen_plan(options, subject.plan);
  if (options.json) {
    Json facts = facts_of(subject);
    add_findings(facts, subject.plan, report);
    if (choice) add_choice(facts, options, *choice);
    facts["seconds"] = subject.seconds;
    facts["verify_seconds"] = subject.verify_seconds;
    if (report.valid && !options.output.empty()) facts["file"] = options.output;
    fmt::print("{}", dump(facts));
  } else {
    fmt::print("{}{}{}", headline(subject), findings_in_words(subject, report),
               line("time", fmt::format("planned in {}, verified in {}", format_seconds(subject.seconds),
                                        format_seconds(subject.verify_seconds))));
    if (report.valid && !options.output.empty()) fmt::print("{}", line("written to", options.output));
    if (choice) fmt::print("{}", choice_in_words(options, *choice));
  }
  return report.valid ? 0 : 1;
}

}  // namespace isotrope::app
