// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/measure.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hypercube.hpp"

namespace isotrope::reproduce {
namespace {

schedule::Collective collective_of(std::string_view algorithm) {
  const auto all = planner::catalog();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto* entry) { return entry->name() == algorithm; });
  if (found == all.end()) throw Error(fmt::format("no algorithm {} in the catalogue", algorithm));
  return (*found)->traits().collective;
}

}  // namespace

std::uint64_t Measured::transfer() const {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

Measured measure(const schedule::Problem& problem, const planner::Preferences& preferences) {
  Measured result{planner::make_plan(problem, preferences), {}};
  result.report = planner::certify(result.plan);
  if (result.report.valid) return result;
  throw Error(fmt::format("{} on {}: {}", to_string(problem.task), problem.network.name(),
                          result.report.violations.front().message));
}

Measured measure(const Trial& trial) {
  const schedule::Problem problem{
      .network = network::hypercube(trial.dimension),
      .task = {.collective = collective_of(trial.algorithm), .parts = trial.packets},
      .ports = trial.ports,
      .aggregation = trial.aggregation};
  planner::Preferences preferences{.algorithm = std::string(trial.algorithm)};
  if (!trial.order.empty()) preferences.order = algorithm::parse_root_order(trial.order);
  return measure(problem, preferences);
}

std::uint64_t measured_rounds(const Trial& trial) {
  return measure(trial).report.rounds;
}

}  // namespace isotrope::reproduce
