// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the checker on what an algorithm returns, for the tests of algorithms.
#pragma once

#include <string_view>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/schedule/link_load.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {

/// The checker's report on `schedule` as a plan of `collective` on a hypercube.
inline verify::Report check_on_hypercube(std::uint32_t dimension, std::string_view collective,
                                         schedule::Schedule schedule, network::Node root = 0,
                                         std::uint64_t parts = 1) {
  const network::Network network = network::hypercube(dimension);
  const schedule::Task task = schedule::parse_task(collective, network, root, parts);
  schedule::Plan plan{network, {}, task, std::move(schedule), {}, {}};
  plan.bound = bound::lower_bounds(problem_of(plan)).front();
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), true, {}};
  if (plan.schedule.round_kind == schedule::RoundKind::aggregated)
    plan.claims.link_load = link_loads(network, plan.schedule);
  return verify::verify(plan);
}

}  // namespace isotrope::algorithm
