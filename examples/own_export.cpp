// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A format of one's own: the hops of a plan as lines of a table. A replicated plan lists the hops of one origin;
// expand() writes out those of all.
#include <cstdint>
#include <iostream>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/plan.hpp"

using namespace isotrope;

int main() {
  const network::Network ring = network::parse("ring:4");
  const schedule::Plan plan =
      verify::expand(planner::make_plan({.network = ring, .task = schedule::parse_task("allgather", ring)}));

  std::cout << "round,packet,from,to\n";
  const schedule::Rounds& rounds = plan.schedule.stages.front().rounds;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const auto& [packet, from, port] : rounds.round(t))
      std::cout << t << ',' << packet << ',' << from << ',' << ring.neighbour(from, port) << '\n';
  }
}
