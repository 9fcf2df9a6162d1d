// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/hexmesh_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include "isotrope/planner/catalogue/layered_broadcast.hpp"
#include "isotrope/planner/catalogue/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::HexmeshVariant;
using schedule::PortModel;
using schedule::Schedule;

// A network is a hexagonal mesh by its generators, whatever its name.
std::optional<std::string> not_a_hexagonal_mesh(const Problem& problem) {
  if (network::hexmesh_size(problem.network)) return std::nullopt;
  return fmt::format("it needs a hexagonal mesh, not {}", problem.network.name());
}

std::optional<std::string> not_one_port(const Problem& problem) {
  if (auto reason = not_a_hexagonal_mesh(problem)) return reason;
  if (problem.ports.kind == PortModel::Kind::one_port) return std::nullopt;
  return fmt::format("it sends over one port and receives over one, and {} was given",
                     to_string(problem.ports));
}

// What follows has no reason.

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

// As printed the procedure knows one packet; parts follow one after the other.

std::uint64_t printed_broadcast_rounds(const Problem& problem) {
  return problem.task.parts *
         algorithm::hexmesh_broadcast_rounds(size_of(problem), HexmeshVariant::as_printed);
}

Schedule plan_printed_broadcast(const Problem& problem) {
  Schedule result =
      algorithm::hexmesh_broadcast(size_of(problem), problem.task.root, HexmeshVariant::as_printed);
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

// The global sum: one block reduced at node 0 and sent to all, each along a tree: of shortest paths, which
// takes n - 1 rounds with all ports, or the broadcast's own, which takes n.

std::optional<std::string> not_all_ports(const Problem& problem) {
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

// The paper's two phases: inwards ring by ring, which needs six receipts at a time, then A2 over one port.

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

// What the catalogue says.

constexpr std::string_view hexagonal_meshes = "hexmesh:2 to hexmesh:4730";
constexpr std::string_view tree_claim =
    "one: n + 2 + 4 (P - 1) rounds, least for P = 1; half: n + 2 + 5 (P - 1); n = 2: 3P; all: n + P - 1";
constexpr std::string_view printed_claim =
    "(n + 3) P rounds, one part after the other; 13 messages a part tell nothing new";

Traits traits(std::string name, Collective collective, std::string ports, const std::string& section,
              std::string claim) {
  return {.name = std::move(name),
          .collective = collective,
          .networks = std::string(hexagonal_meshes),
          .ports = std::move(ports),
          .source = "Chen, Shin and Kandlur 1990, " + section,
          .claim = std::move(claim)};
}

Traits global_sum(std::string name, std::string ports, const std::string& section, const std::string& claim) {
  Traits result =
      traits(std::move(name), Collective::allreduce, std::move(ports), section, "of one block; " + claim);
  result.whole_vector = true;
  return result;
}

}  // namespace

Algorithms chen() {
  Traits broadcast = traits("hexmesh-broadcast", Collective::broadcast, "all, K, one, half",
                            "algorithm A2, corrected", std::string(tree_claim));
  broadcast.pipelines = true;
  broadcast.reversed = {"hexmesh-reduce", ""};
  Algorithms result;
  result.push_back(row(broadcast, not_a_hexagonal_mesh, plan_broadcast, broadcast_rounds));
  result.push_back(row(traits("hexmesh-broadcast-as-printed", Collective::broadcast, "one",
                              "algorithm A2, as printed", std::string(printed_claim)),
                       not_one_port, plan_printed_broadcast, printed_broadcast_rounds));
  result.push_back(
      row(global_sum("hexmesh-global-sum", "all, K, one, half", "Section IV-C, under one port model",
                     "all: 2 (n + P - 2) rounds; one: 2n + 4 for P = 1"),
          not_a_hexagonal_mesh, plan_global_sum, global_sum_rounds));
  result.push_back(row(global_sum("hexmesh-global-sum-as-printed", "all", "Section IV-C and Fig. 12",
                                  "2n + 1 rounds for P = 1: inwards over all ports, outwards over one"),
                       not_all_ports, plan_printed_global_sum, printed_global_sum_rounds));
  return result;
}

}  // namespace isotrope::planner
