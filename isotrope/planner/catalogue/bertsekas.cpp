// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>

#include "isotrope/algorithm/broadcast/multinode_broadcast.hpp"
#include "isotrope/algorithm/exchange/total_exchange.hpp"
#include "isotrope/algorithm/scatter/balanced_scatter.hpp"

#include "isotrope/planner/catalogue/hypercubes.hpp"
#include "isotrope/planner/catalogue/sources.hpp"

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

constexpr std::string_view balanced_claim =
    "ceil((2^d - 1) P / d) rounds, d 2^(d-1) P transmissions: both least";
constexpr std::string_view multinode_claim =
    "ceil((2^d - 1) P / d) rounds, 2^d (2^d - 1) P transmissions: both least";

Traits traits(std::string name, Collective collective, const std::string& section, std::string_view claim) {
  return {.name = std::move(name),
          .collective = collective,
          .networks = std::string(hypercubes),
          .ports = "all",
          .source = "Bertsekas et al. 1991, " + section,
          .claim = std::string(claim)};
}

}  // namespace

Algorithms bertsekas() {
  Traits allgather = traits("multinode-broadcast", Collective::allgather, "Section 2", multinode_claim);
  allgather.reversed = {"multinode-reduction", ""};
  allgather.reversed_then_forward = {"reduction-and-broadcast",
                                     "2 ceil((2^d - 1) P / d) rounds; each stage in its least"};
  Traits scatter = traits("balanced-scatter", Collective::scatter, "Section 3", balanced_claim);
  scatter.reversed = {"balanced-gather", ""};
  Traits alltoall = traits("total-exchange", Collective::alltoall, "Section 4",
                           "2^(d-1) P rounds, d 2^(2d-1) P transmissions: both least");
  Algorithms result;
  result.push_back(row(allgather, not_all_ports, plan_multinode_broadcast, balanced_rounds));
  result.push_back(row(scatter, not_all_ports, plan_balanced_scatter, balanced_rounds));
  result.push_back(row(alltoall, not_all_ports, plan_total_exchange, exchange_rounds));
  return result;
}

}  // namespace isotrope::planner
