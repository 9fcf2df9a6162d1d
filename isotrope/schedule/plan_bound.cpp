// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/plan_bound.hpp"

#include "isotrope/schedule/delivery_bound.hpp"

namespace isotrope::schedule {
namespace {

std::vector<Bound> isotropic_bounds(const Plan& plan, const Stage& stage) {
  std::vector<RelativeDestination> destinations;
  for (const Packet& packet : stage.packets) {
    if (packet.origin == 0 && packet.to != to_all) destinations.push_back({packet.to});
  }
  return lower_bounds(plan.network, destinations, 1, plan.schedule.ports, plan.schedule.round_kind);
}

std::vector<Bound> delivery_bounds(const Plan& plan, const Stage& stage) {
  std::vector<Delivery> deliveries;
  for (const Packet& packet : stage.packets) {
    if (packet.to == to_all) return {};
    deliveries.push_back({packet.origin, packet.to});
  }
  return lower_bounds(plan.network, deliveries, 1, plan.schedule.ports, plan.schedule.round_kind);
}

}  // namespace

std::vector<Bound> lower_bounds(const Plan& plan) {
  if (!plan.failed.empty()) return {};
  const Collective collective = plan.task.collective;
  if (collective != Collective::isotropic && collective != Collective::task)
    return lower_bounds(plan.network, plan.task, plan.schedule.ports, plan.schedule.round_kind);
  if (plan.schedule.stages.empty()) return {};
  const Stage& first = plan.schedule.stages.front();
  const bool replicated = first.replication.kind != Replication::Kind::none;
  return collective == Collective::isotropic && replicated ? isotropic_bounds(plan, first)
                                                           : delivery_bounds(plan, first);
}

}  // namespace isotrope::schedule
