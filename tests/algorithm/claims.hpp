// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the checker on what an algorithm returns, for the tests of algorithms.
#pragma once

#include <string_view>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/schedule/link_load.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {

/// The checker's report on `schedule` as a plan of `collective` on a hypercube.
inline verify::Report check_on_hypercube(std::uint32_t dimension, std::string_view collective,
                                         schedule::Schedule schedule, network::Node root = 0,
                                         std::uint64_t parts = 1) {
  const network::Network network = network::hypercube(dimension);
  const schedule::Task task = schedule::parse_task(collective, network, root, parts);
  const schedule::Bound bound = lower_bounds(network, task, schedule.ports, schedule.round_kind).front();
  schedule::Claims claims{schedule.round_count(), schedule.hop_count(), true, {}};
  if (schedule.round_kind == schedule::RoundKind::combining) claims.link_load = link_loads(network, schedule);
  return verify::verify({network, {}, task, std::move(schedule), bound, claims});
}

}  // namespace isotrope::algorithm
