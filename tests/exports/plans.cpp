// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/plans.hpp"

#include <array>

#include <fmt/format.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::exports {
namespace {

using planner::Algorithm;
using planner::Request;
using schedule::Collective;

constexpr std::array collectives{Collective::broadcast,      Collective::scatter,   Collective::gather,
                                 Collective::reduce,         Collective::allgather, Collective::alltoall,
                                 Collective::reduce_scatter, Collective::allreduce, Collective::barrier};

Request request_for(const std::string& network, Collective collective, std::uint32_t parts) {
  Request request{.network = network::parse(network),
                  .task = {.collective = collective, .parts = parts, .nearest = 0, .farthest = 0},
                  .ports = schedule::PortModel::all(),
                  .destinations = {{1, 2}, {2, 1}},
                  .deliveries = {{0, 1, 1}, {2, 0, 2}}};
  if (is_rooted(collective)) request.task.root = request.network.order() - 1;
  if (collective == Collective::neighborhood) request.task.nearest = 1, request.task.farthest = 2;
  return request;
}

}  // namespace

std::vector<NamedPlan> plans_of_catalogue(const std::string& network) {
  std::vector<NamedPlan> plans;
  for (const Algorithm& algorithm : planner::catalog()) {
    for (const schedule::PortModel ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      for (const std::uint64_t merge : {std::uint64_t{1}, planner::unbounded}) {
        for (const std::uint32_t parts : {1U, 3U}) {
          Request request = request_for(network, algorithm.collective, parts);
          request.ports = ports;
          request.algorithm = algorithm.name;
          request.merge = merge;
          if (planner::obstacle(algorithm, request)) continue;
          plans.push_back({fmt::format("{} on {}, {} parts", algorithm.name, network, parts),
                           planner::make_plan(request)});
        }
      }
    }
  }
  return plans;
}

std::vector<NamedPlan> plans_around_failed_links(const std::string& network) {
  std::vector<NamedPlan> plans;
  for (const Collective collective : collectives) {
    Request request = request_for(network, collective, 1);
    request.failed.links = {{0, 0}, {request.network.order() - 1, request.network.degree() - 1}};
    plans.push_back({fmt::format("{} around failed links", schedule::to_string(request.task)),
                     planner::make_plan(request)});
  }
  return plans;
}

schedule::Plan chosen_plan(const std::string& network, Collective collective, std::uint32_t parts) {
  return planner::make_plan(request_for(network, collective, parts));
}

}  // namespace isotrope::exports
