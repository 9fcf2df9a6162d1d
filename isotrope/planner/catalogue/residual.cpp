// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/irregular/rarest_first.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/trees/surviving_tree.hpp"

#include "isotrope/planner/catalogue/sources.hpp"

namespace isotrope::planner {
namespace {

using network::SurvivingNetwork;
using schedule::Schedule;

std::optional<std::string> nothing_failed(const Problem& problem) {
  if (!problem.failed.empty()) return std::nullopt;
  return "it plans around failures and nothing has failed";
}

SurvivingNetwork survivors(const Problem& problem) {
  return {problem.network, problem.failed};
}

Schedule plan_tree_broadcast(const Problem& problem) {
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   algorithm::surviving_tree(survivors(problem), problem.task.root));
}

Schedule plan_rarest_first_broadcast(const Problem& problem) {
  return algorithm::rarest_first_broadcast(survivors(problem), problem.task.root, problem.task.parts,
                                           problem.ports);
}

Schedule plan_allgather(const Problem& problem) {
  return algorithm::rarest_first_allgather(survivors(problem), problem.task.parts, problem.ports);
}

// Reduced at a survivor, then broadcast from it. Which one is said by the packets, as the collective has no
// root.
Schedule plan_reduction_and_broadcast(const Problem& problem) {
  Problem rooted = problem;
  rooted.task.collective = Collective::broadcast;
  rooted.task.root = survivors(problem).nodes().front();
  const Schedule broadcast = plan_tree_broadcast(rooted);
  Schedule result = concatenate(reverse(rooted.network, rooted.task, broadcast).schedule, broadcast);
  for (schedule::Stage& stage : result.stages) {
    const bool combined = stage.flow == schedule::Flow::combine;
    for (std::uint32_t part = 0; part < problem.task.parts; ++part)
      stage.packets.push_back({rooted.task.root, combined ? rooted.task.root : schedule::to_all, 0, part});
  }
  return result;
}

Schedule plan_deliveries(const Problem& problem) {
  return algorithm::task_routing(survivors(problem), deliveries_of(problem), problem.task.parts,
                                 problem.ports);
}

constexpr std::string_view damaged = "every network with failures";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view fault_tolerance = "Chen, Shin, Kandlur 1990, Section III, on any network";
constexpr std::string_view tree_claim =
    "all: P + h - 1 rounds, h hops to the farthest survivor; least for P = 1";
constexpr std::string_view rarest_claim = "fewest transmissions; rounds not shown to be least";
constexpr std::string_view routing_claim = "a light busiest link, with detours; rounds not shown to be least";

Traits traits(std::string name, Collective collective, std::string_view claim) {
  return {.name = std::move(name),
          .collective = collective,
          .networks = std::string(damaged),
          .ports = std::string(any_ports),
          .source = std::string(fault_tolerance),
          .claim = std::string(claim),
          .around_failures = true};
}

// Personal packets, all routed by one algorithm.
void add_routed(Algorithms& result) {
  const std::array<std::pair<Collective, std::string_view>, 6> names{{
      {Collective::scatter, "surviving-scatter"},
      {Collective::gather, "surviving-gather"},
      {Collective::alltoall, "surviving-total-exchange"},
      {Collective::neighborhood, "surviving-neighborhood-exchange"},
      {Collective::isotropic, "surviving-exchange"},
      {Collective::task, "surviving-task"},
  }};
  for (const auto& [collective, name] : names)
    result.push_back(
        row(traits(std::string(name), collective, routing_claim), nothing_failed, plan_deliveries));
}

}  // namespace

Algorithms residual() {
  Traits tree = traits("surviving-tree-broadcast", Collective::broadcast, tree_claim);
  tree.reversed = {"surviving-tree-reduce", ""};
  Traits rarest = traits("rarest-first-broadcast", Collective::broadcast, rarest_claim);
  rarest.reversed = {"rarest-first-reduce", ""};
  Traits allgather = traits("rarest-first-allgather", Collective::allgather, rarest_claim);
  allgather.reversed = {"rarest-first-reduce-scatter", ""};
  constexpr std::string_view both = "surviving-tree-reduce, then surviving-tree-broadcast";
  Traits allreduce = traits("surviving-tree-allreduce", Collective::allreduce, both);
  allreduce.whole_vector = true;
  Algorithms result;
  result.push_back(row(std::move(tree), nothing_failed, plan_tree_broadcast));
  result.push_back(row(std::move(rarest), nothing_failed, plan_rarest_first_broadcast));
  result.push_back(row(std::move(allgather), nothing_failed, plan_allgather));
  result.push_back(row(std::move(allreduce), nothing_failed, plan_reduction_and_broadcast));
  result.push_back(row(traits("surviving-tree-barrier", Collective::barrier, both), nothing_failed,
                       plan_reduction_and_broadcast));
  add_routed(result);
  return result;
}

}  // namespace isotrope::planner
