// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds against plans: no bound, by the symmetry or without it, exceeds the rounds of a plan.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using bound::GraphView;
using bound::Symmetry;
using schedule::PortModel;

Problem any_problem() {
  const auto a = *rc::gen::inRange(2, 5), b = *rc::gen::inRange(2, 5);
  const std::vector<std::string> networks{fmt::format("ring:{}", 3 * a), fmt::format("torus:{}x{}", a, b),
                                          fmt::format("hypercube:{}", a),
                                          fmt::format("circulant:{}:1,{}", 4 * b + 1, a)};
  const std::vector<std::string> collectives{"broadcast", "reduce",    "scatter",  "gather",
                                             "allgather", "allreduce", "alltoall", "neighborhood:1:2"};
  const std::vector<PortModel> ports{PortModel::all(), PortModel::one(), PortModel::half()};
  const network::Network network = network::parse(*rc::gen::elementOf(networks));
  return {
      .network = network,
      .task = schedule::parse_task(*rc::gen::elementOf(collectives), network, 0, *rc::gen::inRange(1U, 5U)),
      .ports = *rc::gen::elementOf(ports)};
}

void require_bounded(const std::vector<schedule::Bound>& bounds, std::uint64_t rounds) {
  for (const schedule::Bound& bound : bounds) {
    RC_LOG() << bound.kind << ": " << bound.because << "; the plan takes " << rounds << " rounds\n";
    RC_ASSERT(bound.value <= rounds);
  }
}

RC_GTEST_PROP(Bounds, are_at_most_the_rounds_of_a_plan, ()) {
  const Problem problem = any_problem();
  RC_LOG() << problem.network.name() << " " << to_string(problem.task) << " " << to_string(problem.ports)
           << "\n";
  const auto plan = [&]() -> std::optional<schedule::Plan> {
    try {
      return make_plan(problem);
    } catch (const Error&) {  // no algorithm plans it under this port model
      return std::nullopt;
    }
  }();
  if (!plan) RC_DISCARD("no plan");
  require_bounded(bound::lower_bounds(problem), plan->schedule.round_count());
  require_bounded(bounds_on(GraphView(problem, Symmetry::ignored)), plan->schedule.round_count());
}

}  // namespace
}  // namespace isotrope::planner
