// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope verify: checks a plan and its claims; exit status 1 if either fails, or if a second checker differs.
#include "isotrope/verify/verify.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/second_checker.hpp"

namespace isotrope::app {

int verify_command(const VerifyOptions& options) {
  Subject subject = chosen_plan(options);
  const verify::Report report = verified(subject);
  std::optional<SecondVerdict> other;
  if (!options.with.empty()) other = second_verdict(options.with, options.subject);
  const bool differ = other && contradict(report.claims_hold, *other);
  if (report.valid) write_chosen_plan(options, subject.plan);
  if (options.json) {
    Json facts = findings(subject, report);
    facts["mean_delay"] = report.mean_delay;
    if (!report.delay.empty()) facts["largest_delay"] = *std::ranges::max_element(report.delay);
    if (report.busiest_link) facts["busiest_link"] = *report.busiest_link;
    if (!report.link_load.empty()) facts["largest_link_load"] = *std::ranges::max_element(report.link_load);
    facts["seconds"] = subject.verify_seconds;
    if (other)
      facts["second_checker"] = {{"program", options.with}, {"words", other->words}, {"differs", differ}};
    print(answer("verify", facts));
  } else {
    print(findings_in_words(subject, report) +
          line("time", fmt::format("verified in {}", format_seconds(subject.verify_seconds))));
    if (other) print(line("second", other->words));
    if (differ)
      print(line("", fmt::format("the checkers differ: {} contradicts this verdict", options.with)));
  }
  return report.claims_hold && !differ ? 0 : 1;
}

}  // namespace isotrope::app
