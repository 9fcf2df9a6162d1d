// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/schedule/link_load.hpp"

namespace isotrope::planner {
namespace {

const Algorithm& named(const Request& request) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.name != request.algorithm) {
      names.push_back(algorithm.name);
      continue;
    }
    if (algorithm.collective != request.task.collective) {
      throw Error(fmt::format("algorithm {} plans {}, not {}", algorithm.name,
                              to_string(schedule::Task{.collective = algorithm.collective}),
                              to_string(request.task)));
    }
    if (const auto reason = obstacle(algorithm, request)) {
      throw Error(fmt::format("algorithm {}: {} (networks: {}; ports: {})", algorithm.name, *reason,
                              algorithm.networks, algorithm.ports));
    }
    return algorithm;
  }
  throw Error(
      fmt::format("unknown algorithm '{}': {}", request.algorithm, name_hint(request.algorithm, names)));
}

// What the catalogue has for the collective, for whoever asked for something else.
std::string alternatives(const Request& request) {
  std::vector<std::string> known;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective == request.task.collective) {
      known.push_back(
          fmt::format("{} (networks: {}; ports: {})", algorithm.name, algorithm.networks, algorithm.ports));
    }
  }
  if (known.empty())
    return "the catalogue plans it on no network yet; `isotrope catalog` lists what there is";
  return fmt::format("the catalogue has {}", fmt::join(known, ", "));
}

}  // namespace

const Algorithm& choose(const Request& request) {
  if (!request.algorithm.empty()) return named(request);
  const Algorithm* best = nullptr;
  std::uint64_t least = 0;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective != request.task.collective || obstacle(algorithm, request)) continue;
    const std::uint64_t rounds = algorithm.rounds(request);
    if (best != nullptr && rounds >= least) continue;
    best = &algorithm;
    least = rounds;
  }
  if (best != nullptr) return *best;
  throw Error(fmt::format(
      "no algorithm for {} on {} with ports {}{}{}: {}", to_string(request.task), request.network.name(),
      to_string(request.ports), request.merge > 1 ? " that merges packets" : "",
      request.order ? " that lets the root's order be chosen" : "", alternatives(request)));
}

schedule::Plan make_plan(const Request& request) {
  return make_plan(request, choose(request));
}

schedule::Plan make_plan(const Request& request, const Algorithm& algorithm) {
  schedule::Plan plan{request.network, {}, request.task, algorithm.schedule(request), {}, {}};
  const auto bounds = lower_bounds(plan.network, plan.task, plan.schedule.ports, plan.schedule.round_kind);
  if (!bounds.empty()) plan.bound = bounds.front();
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  if (plan.schedule.round_kind == schedule::RoundKind::combining)
    plan.claims.link_load = link_loads(plan.network, plan.schedule);
  return plan;
}

verify::Report certify(schedule::Plan& plan, const verify::Options& options) {
  verify::Report report = verify::verify(plan, options);
  plan.claims.optimal = report.optimal;
  return report;
}

}  // namespace isotrope::planner
