// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network that has no name: the face-centred cubic lattice on Z_3^3, whose 12 neighbours differ in two coordinates. It
// is a group and its generators; every algorithm for any network, every bound and the checker then work.
#include <array>
#include <cstddef>
#include <iostream>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/plan.hpp"

using isotrope::network::Coordinate;

isotrope::network::Network face_centred_cubic(Coordinate extent) {
  isotrope::network::Group group({extent, extent, extent});
  std::vector<isotrope::network::Node> generators;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = a + 1; b < 3; ++b) {
      for (const Coordinate x : {Coordinate{1}, extent - 1}) {
        for (const Coordinate y : {Coordinate{1}, extent - 1}) {
          std::array<Coordinate, 3> step{};
          step[a] = x;
          step[b] = y;
          generators.push_back(group.number(step));
        }
      }
    }
  }
  return {"cayley", std::move(group), std::move(generators)};
}

int main() {
  const isotrope::network::Network lattice = face_centred_cubic(3);
  std::cout << lattice.order() << " nodes with " << lattice.degree() << " ports, diameter "
            << lattice.diameter() << '\n';
  for (const char* collective : {"broadcast", "allgather", "alltoall"}) {
    const isotrope::schedule::Plan plan = isotrope::planner::make_plan(
        {.network = lattice, .task = isotrope::schedule::parse_task(collective, lattice)});
    const isotrope::verify::Report report = isotrope::verify::verify(plan);
    std::cout << collective << ": " << report.rounds << " rounds, at least " << report.bound.value << '\n';
  }
}
