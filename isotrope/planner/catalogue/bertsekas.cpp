// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/multinode_broadcast.hpp"
#include "isotrope/algorithm/exchange/total_exchange.hpp"
#include "isotrope/algorithm/scatter/balanced_scatter.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

// ceil((2^d - 1) P / d)
std::uint64_t balanced_rounds(const Problem& problem) {
  const std::uint64_t packets = std::uint64_t{problem.network.order() - 1} * problem.task.parts;
  return (packets + problem.network.degree() - 1) / problem.network.degree();
}

std::uint64_t exchange_rounds(const Problem& problem) {
  return std::uint64_t{problem.network.order() / 2} * problem.task.parts;
}

Schedule plan_multinode_broadcast(const Problem& problem) {
  return algorithm::multinode_broadcast(problem.network.degree(), problem.task.parts);
}

Schedule plan_balanced_scatter(const Problem& problem) {
  return algorithm::balanced_scatter(problem.network.degree(), problem.task.root, problem.task.parts);
}

Schedule plan_total_exchange(const Problem& problem) {
  return algorithm::total_exchange(problem.network.degree(), problem.task.parts);
}

constexpr const char* balanced_claim = "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least";
constexpr const char* multinode_claim =
    "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least";

}  // namespace

Algorithms bertsekas() {
  Traits allgather{
      "multinode-broadcast", Collective::allgather, hypercubes, "all", "Bertsekas et al. 1991, Section 2",
      multinode_claim};
  allgather.reversed = {"multinode-reduction"};
  allgather.reversed_then_forward = {"reduction-and-broadcast",
                                     "2 ceil((2^d - 1) P / d) rounds; each stage in its least"};
  Traits scatter{
      "balanced-scatter", Collective::scatter, hypercubes, "all", "Bertsekas et al. 1991, Section 3",
      balanced_claim};
  scatter.reversed = {"balanced-gather"};
  const Traits alltoall{"total-exchange",
                        Collective::alltoall,
                        hypercubes,
                        "all",
                        "Bertsekas et al. 1991, Section 4",
                        "2^(d-1) P rounds, d 2^(2d-1) P transmissions: both least"};
  Algorithms result;
  add_row(result, allgather, not_all_ports_of_hypercube, plan_multinode_broadcast, balanced_rounds);
  add_row(result, scatter, not_all_ports_of_hypercube, plan_balanced_scatter, balanced_rounds);
  add_row(result, alltoall, not_all_ports_of_hypercube, plan_total_exchange, exchange_rounds);
  return result;
}

}  // namespace isotrope::planner
