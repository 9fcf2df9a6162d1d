// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/surviving_task.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/irregular/rarest_first.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/trees/surviving_tree.hpp"

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using network::SurvivingNetwork;
using schedule::Collective;
using schedule::Schedule;

std::optional<std::string> nothing_failed(const Request& request) {
  if (!request.failed.empty()) return std::nullopt;
  return "it plans around failures and nothing has failed";
}

SurvivingNetwork survivors(const Request& request) {
  return {request.network, request.failed};
}

template <Schedule (*make)(const Request&)>
std::uint64_t counted_rounds(const Request& request) {
  return make(request).round_count();
}

Schedule plan_tree_broadcast(const Request& request) {
  return algorithm::tree_broadcast(request.network, request.task.root, request.task.parts, request.ports,
                                   algorithm::surviving_tree(survivors(request), request.task.root));
}

Schedule plan_rarest_first_broadcast(const Request& request) {
  return algorithm::rarest_first_broadcast(survivors(request), request.task.root, request.task.parts,
                                           request.ports);
}

Schedule plan_allgather(const Request& request) {
  return algorithm::rarest_first_allgather(survivors(request), request.task.parts, request.ports);
}

constexpr auto plan_tree_reduce = backwards<Collective::broadcast, plan_tree_broadcast>;
constexpr auto plan_reduce_scatter = backwards<Collective::allgather, plan_allgather>;

// Reduced at a survivor, then broadcast from it. Which one is said by the packets, as the collective has no
// root.
Schedule plan_reduction_and_broadcast(const Request& request) {
  Request rooted = request;
  rooted.task.root = survivors(request).nodes().front();
  Schedule result = concatenate(plan_tree_reduce(rooted), plan_tree_broadcast(rooted));
  for (schedule::Stage& stage : result.stages) {
    const bool combined = stage.flow == schedule::Flow::combine;
    for (std::uint32_t part = 0; part < request.task.parts; ++part)
      stage.packets.push_back({rooted.task.root, combined ? rooted.task.root : schedule::to_all, 0, part});
  }
  return result;
}

Schedule plan_deliveries(const Request& request) {
  const SurvivingNetwork network = survivors(request);
  const std::uint32_t parts = request.task.parts;
  if (request.task.collective == Collective::task)
    return algorithm::task_routing(network, request.deliveries, parts, request.ports);
  if (request.task.collective == Collective::isotropic)
    return algorithm::task_routing(network, surviving_deliveries(network, request.destinations), parts,
                                   request.ports);
  return algorithm::task_routing(network, surviving_deliveries(network, request.task), parts, request.ports);
}

constexpr std::string_view damaged = "every network with failures";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view fault_tolerance = "Chen, Shin, Kandlur 1990, Section III, on any network";
constexpr std::string_view tree_claim =
    "all: P + h - 1 rounds, h hops to the farthest survivor; least for P = 1";
constexpr std::string_view rarest_claim = "fewest transmissions; rounds not shown to be least";
constexpr std::string_view routing_claim = "a light busiest link, with detours; rounds not shown to be least";

template <Schedule (*make)(const Request&)>
constexpr Algorithm around_failures(std::string_view name, Collective collective, std::string_view claim) {
  return {.name = name,
          .collective = collective,
          .networks = damaged,
          .ports = any_ports,
          .source = fault_tolerance,
          .claim = claim,
          .misfit = nothing_failed,
          .rounds = counted_rounds<make>,
          .schedule = make,
          .survives = true,
          .one_block = collective == Collective::allreduce};
}

constexpr std::array algorithms{
    around_failures<plan_tree_broadcast>("surviving-tree-broadcast", Collective::broadcast, tree_claim),
    around_failures<plan_rarest_first_broadcast>("rarest-first-broadcast", Collective::broadcast,
                                                 rarest_claim),
    around_failures<plan_tree_reduce>("surviving-tree-reduce", Collective::reduce, tree_claim),
    around_failures<backwards<Collective::broadcast, plan_rarest_first_broadcast>>(
        "rarest-first-reduce", Collective::reduce, rarest_claim),
    around_failures<plan_allgather>("rarest-first-allgather", Collective::allgather, rarest_claim),
    around_failures<plan_reduce_scatter>("rarest-first-reduce-scatter", Collective::reduce_scatter,
                                         rarest_claim),
    around_failures<plan_reduction_and_broadcast>("surviving-tree-allreduce", Collective::allreduce,
                                                  "surviving-tree-reduce, then surviving-tree-broadcast"),
    around_failures<plan_reduction_and_broadcast>("surviving-tree-barrier", Collective::barrier,
                                                  "surviving-tree-reduce, then surviving-tree-broadcast"),
    around_failures<plan_deliveries>("surviving-scatter", Collective::scatter, routing_claim),
    around_failures<plan_deliveries>("surviving-gather", Collective::gather, routing_claim),
    around_failures<plan_deliveries>("surviving-total-exchange", Collective::alltoall, routing_claim),
    around_failures<plan_deliveries>("surviving-neighborhood-exchange", Collective::neighborhood,
                                     routing_claim),
    around_failures<plan_deliveries>("surviving-exchange", Collective::isotropic, routing_claim),
    around_failures<plan_deliveries>("surviving-task", Collective::task, routing_claim),
};

}  // namespace

std::span<const Algorithm> surviving() {
  return algorithms;
}

}  // namespace isotrope::planner
