// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The fastest algorithm depends on size and machine: here for an allreduce, with a start-up of 1 us and 10 GB/s a link.
#include <cstdint>
#include <iostream>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/planner/choice.hpp"

using namespace isotrope;

int main() {
  const network::Network torus = network::parse("torus:4x4");
  const schedule::Problem problem{.network = torus, .task = schedule::parse_task("allreduce", torus)};
  const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-10, .ports = schedule::PortModel::all()};

  for (const std::uint64_t bytes : {64u, 65536u, 67108864u}) {
    const planner::Choice choice = planner::choose_for(problem, bytes, machine);
    std::cout << bytes << " bytes: " << choice.best().name() << '\n';
  }
}
