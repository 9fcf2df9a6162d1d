// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a plan in this process: every node has its own buffers, and every byte is checked at its destination.
#include <iostream>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/local/run.hpp"

#include "isotrope/planner/plan.hpp"

using namespace isotrope;

int main() {
  const network::Network cube = network::parse("hypercube:4");
  const schedule::Plan plan =
      planner::make_plan({.network = cube, .task = schedule::parse_task("alltoall", cube)});
  const local::RunResult result = local::run(plan, {.block_bytes = 4096, .threads = 2});
  std::cout << result.bytes_checked << " bytes in " << result.rounds
            << " rounds: " << (result.correct ? "all correct" : result.first_error) << '\n';
}
