// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/packet_task.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::simulate {

using schedule::Collective;

PacketTask packet_task(const schedule::Problem& problem) {
  const schedule::Task& task = problem.task;
  if (task.collective == Collective::alltoall || task.collective == Collective::neighborhood)
    return {.isotropic = schedule::relative_destinations(problem.network, task), .parts = task.parts};
  if (task.collective == Collective::isotropic) return {.isotropic = task.destinations, .parts = task.parts};
  if (task.collective == Collective::task) return {.listed = task.deliveries, .parts = task.parts};
  throw Error(fmt::format(
      "simulate routes packets with one destination each, and packets of {} have several: give alltoall, "
      "neighborhood:K:L, isotropic:FILE or task:FILE",
      to_string(task)));
}

RoutingPolicy default_policy(const schedule::Problem& problem) {
  return {RoutingPolicy::Order::largest_residual,
          problem.failed.empty() && problem.failed.edge_times.empty()};
}

}  // namespace isotrope::simulate
