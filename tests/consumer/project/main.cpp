// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans the total exchange on a hypercube of 32 nodes, has it checked, and prints what was found.
#include <iostream>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/plan.hpp"

int main() {
  const isotrope::network::Network cube = isotrope::network::parse("hypercube:5");
  const isotrope::schedule::Plan plan = isotrope::planner::make_plan(
      {.network = cube, .task = isotrope::schedule::parse_task("alltoall", cube)});
  const isotrope::verify::Report report = isotrope::verify::verify(plan);
  std::cout << report.rounds << " rounds, " << (report.optimal ? "optimal" : "not optimal") << '\n';
}
