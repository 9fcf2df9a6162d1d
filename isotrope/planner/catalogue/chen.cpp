// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/hexmesh_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using schedule::Schedule;

constexpr const char* hexagonal_meshes = "hexmesh:2 to hexmesh:4730";

// A network is a hexagonal mesh by its generators, whatever its name.
Reason not_a_hexagonal_mesh(const Problem& problem) {
  if (network::hexmesh_size(problem.network)) return std::nullopt;
  return fmt::format("it needs a hexagonal mesh, not {}", problem.network.name());
}

Reason not_one_port(const Problem& problem) {
  if (auto reason = not_a_hexagonal_mesh(problem)) return reason;
  if (problem.ports.kind == PortModel::Kind::one_port) return std::nullopt;
  return fmt::format("it sends over one port and receives over one, and {} was given",
                     to_string(problem.ports));
}

std::uint32_t size_of(const Problem& problem) {
  return network::hexmesh_size(problem.network).value();
}

algorithm::ChildPorts tree(const Problem& problem) {
  return algorithm::hexmesh_broadcast_tree(size_of(problem), problem.task.root);
}

std::uint64_t broadcast_rounds(const Problem& problem) {
  return algorithm::tree_broadcast_rounds(problem.network, problem.task.root, problem.task.parts,
                                          problem.ports, tree(problem));
}

Schedule plan_broadcast(const Problem& problem) {
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   tree(problem));
}

// The printed procedure sends one packet; parts follow one after the other.

std::uint64_t printed_broadcast_rounds(const Problem& problem) {
  return problem.task.parts *
         algorithm::hexmesh_broadcast_rounds(size_of(problem), algorithm::HexmeshVariant::as_printed);
}

Schedule plan_printed_broadcast(const Problem& problem) {
  Schedule result = algorithm::hexmesh_broadcast(size_of(problem), problem.task.root,
                                                 algorithm::HexmeshVariant::as_printed);
  schedule::Rounds& rounds = result.stages.front().rounds;
  const schedule::Rounds first = rounds;
  for (schedule::PacketId part = 1; part < problem.task.parts; ++part) {
    for (std::uint64_t t = 0; t < first.size(); ++t) {
      for (const schedule::Hop& hop : first.round(t)) rounds.add({part, hop.from, hop.port});
      rounds.close_round();
    }
  }
  return result;
}

// The global sum reduces one block at node 0 and sends the result to all, both along one tree: the tree of shortest
// paths, in n - 1 rounds over all ports, or the tree of the broadcast, in n rounds.

Reason not_all_ports(const Problem& problem) {
  if (auto reason = not_a_hexagonal_mesh(problem)) return reason;
  if (problem.ports.kind == PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("its first phase receives over all ports at once, and {} was given",
                     to_string(problem.ports));
}

Schedule reversed_broadcast(const Problem& problem, const Schedule& broadcast) {
  const schedule::Task task{.collective = Collective::broadcast, .parts = problem.task.parts};
  return reverse(problem.network, task, broadcast).schedule;
}

std::uint64_t global_sum_rounds(const Problem& problem) {
  return 2 * std::min(broadcast_rounds(problem), layered_broadcast_rounds(problem));
}

Schedule plan_global_sum(const Problem& problem) {
  const bool layered = layered_broadcast_rounds(problem) < broadcast_rounds(problem);
  const Schedule broadcast = layered ? plan_layered_broadcast(problem) : plan_broadcast(problem);
  return concatenate(reversed_broadcast(problem, broadcast), broadcast);
}

// The two phases of the paper: inwards ring by ring, with six receipts at a time, and outwards by A2 over one port.

Problem over_one_port(Problem problem) {
  problem.ports = PortModel::one();
  return problem;
}

std::uint64_t printed_global_sum_rounds(const Problem& problem) {
  return layered_broadcast_rounds(problem) + broadcast_rounds(over_one_port(problem));
}

Schedule plan_printed_global_sum(const Problem& problem) {
  Schedule outwards = plan_broadcast(over_one_port(problem));
  outwards.ports = problem.ports;
  return concatenate(reversed_broadcast(problem, plan_layered_broadcast(problem)), std::move(outwards));
}

// The catalogue.

Traits global_sum(const char* name, const char* ports, const char* source, const char* claim) {
  Traits result{name, Collective::allreduce, hexagonal_meshes, ports, source, claim};
  result.whole_vector = true;
  return result;
}

}  // namespace

Algorithms chen() {
  Traits broadcast{"hexmesh-broadcast",
                   Collective::broadcast,
                   hexagonal_meshes,
                   any_ports,
                   "Chen, Shin and Kandlur 1990, algorithm A2, corrected",
                   "one: n + 2 + 4 (P - 1) rounds, least for P = 1; half: n + 2 + 5 (P - 1); n = 2: 3P; all: "
                   "n + P - 1"};
  broadcast.pipelines = true;
  broadcast.reversed = {"hexmesh-reduce"};
  const Traits printed{"hexmesh-broadcast-as-printed",
                       Collective::broadcast,
                       hexagonal_meshes,
                       "one",
                       "Chen, Shin and Kandlur 1990, algorithm A2, as printed",
                       "(n + 3) P rounds, one part after the other; 13 messages per part are redundant"};
  Algorithms result;
  add_row(result, broadcast, not_a_hexagonal_mesh, plan_broadcast, broadcast_rounds);
  add_row(result, printed, not_one_port, plan_printed_broadcast, printed_broadcast_rounds);
  add_row(result,
          global_sum("hexmesh-global-sum", any_ports,
                     "Chen, Shin and Kandlur 1990, Section IV-C, under one port model",
                     "of one block; all: 2 (n + P - 2) rounds; one: 2n + 4 for P = 1"),
          not_a_hexagonal_mesh, plan_global_sum, global_sum_rounds);
  add_row(result,
          global_sum("hexmesh-global-sum-as-printed", "all",
                     "Chen, Shin and Kandlur 1990, Section IV-C and Fig. 12",
                     "of one block; 2n + 1 rounds for P = 1: inwards over all ports, outwards over one"),
          not_all_ports, plan_printed_global_sum, printed_global_sum_rounds);
  return result;
}

}  // namespace isotrope::planner
