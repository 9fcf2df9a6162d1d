// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/network_memo.hpp"

#include "isotrope/graph/hamiltonian_cycle.hpp"
#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

constexpr std::uint64_t most_cycle_hops = std::uint64_t{1} << 28;

// The reason, the rounds and the plan want it one after the other.
const std::optional<std::vector<network::Node>>& cycle_of(const Problem& problem) {
  thread_local network::NetworkMemo<std::optional<std::vector<network::Node>>> known;
  return known.get(problem.network, problem.failed,
                   [&] { return graph::hamiltonian_cycle(problem.network, problem.failed); });
}

// Over full duplex on whole networks fresh-first-broadcast takes as few rounds and lists the hops of one node.
Reason no_cycle_allgather(const Problem& problem) {
  if (problem.ports.kind == schedule::PortModel::Kind::all_port)
    return "packets go round a cycle, over two ports of a node: all ports take fewer rounds otherwise";
  if (!problem.ports.half_duplex() && problem.failed.empty())
    return "it is for half duplex, open axes and failed links: fresh-first-broadcast takes as few rounds";
  const std::uint64_t nodes = problem.network.order(),
                      hops = schedule::saturating_product(nodes * nodes, problem.task.parts);
  if (hops >= most_cycle_hops) {
    return fmt::format("it lists N^2 P hops: {} for {} in {} parts, and fewer than {} are taken", hops,
                       problem.network.name(), problem.task.parts, most_cycle_hops);
  }
  if (!problem.failed.nodes.empty()) return "its cycle passes every node, and some have failed";
  if (!problem.failed.edges.empty())
    return "its cycle is that of a Cayley graph, and the network is a list of links";
  if (cycle_of(problem)) return std::nullopt;
  return "no Hamiltonian cycle of the links that are up is known";
}

schedule::Schedule plan_cycle_allgather(const Problem& problem) {
  return algorithm::cycle_allgather(problem.network, *cycle_of(problem), problem.task.parts, problem.ports);
}

std::uint64_t cycle_allgather_rounds(const Problem& problem) {
  return algorithm::cycle_allgather_rounds(problem.network.order(), problem.network.degree(),
                                           problem.task.parts, problem.ports);
}

}  // namespace

Algorithms cycle_allgathers() {
  Algorithms result;
  Traits cycle{"hamiltonian-cycle-allgather",
               Collective::allgather,
               "every network with N^2 P below 2^28; with open axes and failed links, if a cycle is known",
               "half; one or more with open axes and failed links",
               "Chen and Quimpo 1981 (the cycle)",
               "half: 2 (N - 1) P rounds for even N, 2 N P for odd N; one port: (N - 1) P; two: half of "
               "that: the least"};
  cycle.around_failures = true;
  cycle.reversed = {"hamiltonian-cycle-reduce-scatter"};
  cycle.reversed_then_forward = {"hamiltonian-cycle-allreduce", "twice the rounds"};
  add_row(result, std::move(cycle), no_cycle_allgather, plan_cycle_allgather, cycle_allgather_rounds);
  return result;
}

}  // namespace isotrope::planner
