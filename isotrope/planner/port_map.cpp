// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/port_map.hpp"

#include <chrono>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;

constexpr std::array map_collectives{Collective::broadcast, Collective::reduce,    Collective::scatter,
                                     Collective::gather,    Collective::allgather, Collective::reduce_scatter,
                                     Collective::alltoall,  Collective::allreduce, Collective::barrier};

}  // namespace

std::vector<PortModel> map_ports(const Network& network) {
  std::vector<PortModel> result{PortModel::all()};
  if (network.degree() > 2) result.push_back(PortModel::ports(2));
  result.push_back(PortModel::one());
  result.push_back(PortModel::half());
  return result;
}

std::vector<Problem> port_map(const Network& network) {
  std::vector<Problem> result;
  for (const Collective collective : map_collectives) {
    for (const PortModel ports : map_ports(network)) {
      for (const std::uint32_t parts : map_parts) {
        if (collective == Collective::barrier && parts != 1) continue;
        Problem problem{.network = network, .task = {.collective = collective}, .ports = ports};
        problem.task.parts = parts == 0 ? 1 : parts;
        if (parts == 0) problem.aggregation = unbounded;
        result.push_back(std::move(problem));
      }
    }
  }
  return result;
}

MapCell planned_cell(const Problem& problem) {
  using Clock = std::chrono::steady_clock;
  MapCell result;
  const auto start = Clock::now();
  try {
    result.plan = make_plan(problem);
  } catch (const Error& error) {
    result.refusal = error.what();
    return result;
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const verify::Report report = certify(*result.plan);
  if (!report.valid)
    throw Error(fmt::format("the plan of {} on {} with ports {} is not valid: {}", to_string(problem.task),
                            problem.network.name(), to_string(problem.ports),
                            report.violations.front().message));
  result.rounds = report.rounds;
  result.bound = report.bound.value;
  return result;
}

}  // namespace isotrope::planner
