// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checker finds what is wrong with a plan: here, the first round is left out.
#include "isotrope/verify/verify.hpp"

#include <cstdint>
#include <iostream>
#include <utility>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/planner/plan.hpp"

using namespace isotrope;

schedule::Rounds without_first(const schedule::Rounds& rounds) {
  schedule::Rounds rest;
  for (std::uint64_t t = 1; t < rounds.size(); ++t) {
    for (const schedule::Hop& hop : rounds.round(t)) rest.add(hop);
    rest.close_round();
  }
  return rest;
}

void print_verdict(const schedule::Plan& plan) {
  const verify::Report report = verify::verify(plan, {.most_violations = 1});
  std::cout << (report.valid ? "valid" : "not valid") << (report.optimal ? " and optimal" : "") << ", "
            << report.violation_count << " violations\n";
  for (const verify::Violation& violation : report.violations) std::cout << "  " << violation.message << '\n';
}

int main() {
  const network::Network cube = network::parse("hypercube:3");
  schedule::Plan plan =
      planner::make_plan({.network = cube, .task = schedule::parse_task("broadcast", cube)});
  print_verdict(plan);

  schedule::Rounds& rounds = plan.schedule.stages.front().rounds;
  rounds = without_first(rounds);
  print_verdict(plan);
}
