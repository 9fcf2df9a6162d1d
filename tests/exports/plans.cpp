// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/plans.hpp"

#include <array>

#include <fmt/format.h>

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::exports {
namespace {

using planner::Algorithm;
using schedule::Collective;
using schedule::Problem;

constexpr std::array collectives{Collective::broadcast,      Collective::scatter,   Collective::gather,
                                 Collective::reduce,         Collective::allgather, Collective::alltoall,
                                 Collective::reduce_scatter, Collective::allreduce, Collective::barrier};

Problem problem_for(const std::string& network, Collective collective, std::uint32_t parts) {
  Problem problem{.network = network::parse(network), .task = {.collective = collective, .parts = parts}};
  schedule::Task& task = problem.task;
  if (is_rooted(collective)) task.root = problem.network.order() - 1;
  if (collective == Collective::neighborhood) task.nearest = 1, task.farthest = 2;
  if (collective == Collective::isotropic) task.destinations = {{1, 2}, {2, 1}};
  if (collective == Collective::task) task.deliveries = {{0, 1, 1}, {2, 0, 2}};
  return problem;
}

}  // namespace

std::vector<NamedPlan> plans_of_catalogue(const std::string& network) {
  std::vector<NamedPlan> plans;
  for (const Algorithm* algorithm : planner::catalog()) {
    if (algorithm->traits().for_machines) continue;
    for (const schedule::PortModel ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      for (const std::uint64_t limit : {std::uint64_t{1}, schedule::unbounded}) {
        for (const std::uint32_t parts : {1U, 3U}) {
          Problem problem = problem_for(network, algorithm->traits().collective, parts);
          problem.ports = ports;
          problem.aggregation = limit;
          if (planner::unsupported_reason(*algorithm, problem)) continue;
          plans.push_back({fmt::format("{} on {}, {} parts", algorithm->name(), network, parts),
                           planner::make_plan(problem, *algorithm, {})});
        }
      }
    }
  }
  return plans;
}

std::vector<NamedPlan> plans_around_failed_links(const std::string& network) {
  std::vector<NamedPlan> plans;
  for (const Collective collective : collectives) {
    Problem problem = problem_for(network, collective, 1);
    problem.failed.links = {{0, 0}, {problem.network.order() - 1, problem.network.degree() - 1}};
    plans.push_back({fmt::format("{} around failed links", schedule::to_string(problem.task)),
                     planner::make_plan(problem)});
  }
  return plans;
}

schedule::Plan chosen_plan(const std::string& network, Collective collective, std::uint32_t parts) {
  return planner::make_plan(problem_for(network, collective, parts));
}

schedule::Plan overlay_plan() {
  schedule::Plan plan = chosen_plan("ring:4", Collective::broadcast);
  plan.overlay = network::cayley({4}, {{1}, {3}, {2}});
  schedule::Rounds rounds;
  for (network::Port port = 0; port < 3; ++port) rounds.add({0, 3, port});
  rounds.close_round();
  plan.schedule.stages[0].rounds = std::move(rounds);
  return plan;
}

}  // namespace isotrope::exports
