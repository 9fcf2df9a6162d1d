// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope plan: makes a plan, verifies it, writes it to a file.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {

int plan_command(const Options& options) {
  Subject subject = chosen_plan(options);
  const verify::Report report = verified(subject);
  if (report.valid) write_chosen_plan(options, subject.plan);
  if (options.json) {
    Json facts = facts_of(subject);
    add_findings(facts, report);
    facts["seconds"] = subject.seconds;
    facts["verify_seconds"] = subject.verify_seconds;
    if (report.valid && !options.output.empty()) facts["file"] = options.output;
    fmt::print("{}", dump(facts));
  } else {
    fmt::print("{}{}{}", headline(subject), findings_in_words(subject, report),
               line("time", fmt::format("planned in {}, verified in {}", format_seconds(subject.seconds),
                                        format_seconds(subject.verify_seconds))));
    if (report.valid && !options.output.empty()) fmt::print("{}", line("written to", options.output));
  }
  return report.valid ? 0 : 1;
}

}  // namespace isotrope::app
