// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/plan_bound.hpp"

#include "isotrope/schedule/delivery_bound.hpp"
#include "isotrope/schedule/surviving_task.hpp"

namespace isotrope::schedule {
namespace {

std::vector<Bound> isotropic_bounds(const Plan& plan, const Stage& stage) {
  std::vector<RelativeDestination> destinations;
  for (const Packet& packet : stage.packets) {
    if (packet.origin == 0 && packet.to != to_all) destinations.push_back({packet.to});
  }
  return lower_bounds(plan.network, destinations, 1, plan.schedule.ports, plan.schedule.round_kind);
}

// None where a packet is for everyone.
std::vector<Delivery> listed_deliveries(const Stage& stage) {
  std::vector<Delivery> deliveries;
  for (const Packet& packet : stage.packets) {
    if (packet.to == to_all) return {};
    deliveries.push_back({packet.origin, packet.to});
  }
  return deliveries;
}

// Where the survivors cannot all reach each other, or the root has failed, there is nothing to bound.
std::vector<Bound> surviving_bounds(const Plan& plan) {
  const SurvivingNetwork network(plan.network, plan.failed);
  const bool rooted = is_rooted(plan.task.collective);
  if ((rooted && !network.alive(plan.task.root)) || !network.cut_off(network.nodes().front()).empty())
    return {};
  const Collective collective = plan.task.collective;
  if (collective != Collective::isotropic && collective != Collective::task)
    return lower_bounds(network, plan.task, plan.schedule.ports, plan.schedule.round_kind);
  if (plan.schedule.stages.empty()) return {};
  const std::vector<Delivery> deliveries = listed_deliveries(plan.schedule.stages.front());
  if (deliveries.empty()) return {};
  return lower_bounds(network, deliveries, 1, plan.schedule.ports, plan.schedule.round_kind);
}

}  // namespace

std::vector<Bound> lower_bounds(const Plan& plan) {
  if (!plan.failed.empty()) return surviving_bounds(plan);
  const Collective collective = plan.task.collective;
  if (collective != Collective::isotropic && collective != Collective::task)
    return lower_bounds(plan.network, plan.task, plan.schedule.ports, plan.schedule.round_kind);
  if (plan.schedule.stages.empty()) return {};
  const Stage& first = plan.schedule.stages.front();
  const bool replicated = first.replication.kind != Replication::Kind::none;
  if (collective == Collective::isotropic && replicated) return isotropic_bounds(plan, first);
  const std::vector<Delivery> deliveries = listed_deliveries(first);
  if (deliveries.empty()) return {};
  return lower_bounds(plan.network, deliveries, 1, plan.schedule.ports, plan.schedule.round_kind);
}

}  // namespace isotrope::schedule
