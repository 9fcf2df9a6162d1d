// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans a total exchange, and compares its rounds with the lower bound.
#include "isotrope/planner/plan.hpp"

#include <iostream>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

int main() {
  const isotrope::network::Network torus = isotrope::network::parse("torus:4x4x8");
  const isotrope::schedule::Plan plan = isotrope::planner::make_plan(
      {.network = torus, .task = isotrope::schedule::parse_task("alltoall", torus)});

  std::cout << torus.name() << ": " << torus.order() << " nodes, " << plan.claims.rounds << " rounds\n"
            << "bound: " << plan.bound.value << " rounds, as " << plan.bound.because << '\n';
}
