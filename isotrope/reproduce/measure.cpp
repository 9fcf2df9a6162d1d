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
      std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == algorithm; });
  if (found == all.end()) throw Error(fmt::format("no algorithm {} in the catalogue", algorithm));
  return found->collective;
}

}  // namespace

std::uint64_t Measured::transfer() const {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

Measured measure(const planner::Request& request) {
  Measured result{planner::make_plan(request), {}};
  result.report = planner::certify(result.plan);
  if (result.report.valid) return result;
  throw Error(fmt::format("{} on {}: {}", to_string(request.task), request.network.name(),
                          result.report.violations.front().message));
}

Measured measure(const Trial& trial) {
  planner::Request request{.network = network::hypercube(trial.dimension),
                           .task = {.collective = collective_of(trial.algorithm), .parts = trial.packets},
                           .ports = trial.ports,
                           .algorithm = std::string(trial.algorithm),
                           .merge = trial.merge};
  if (!trial.order.empty()) request.order = algorithm::parse_root_order(trial.order);
  return measure(request);
}

std::uint64_t measured_rounds(const Trial& trial) {
  return measure(trial).report.rounds;
}

}  // namespace isotrope::reproduce
