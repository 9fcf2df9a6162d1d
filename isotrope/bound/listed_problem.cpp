// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/listed_problem.hpp"

#include <utility>

namespace isotrope::bound {
namespace {

using schedule::Collective;
using schedule::Delivery;
using schedule::Packet;
using schedule::RelativeDestination;
using schedule::Replication;
using schedule::Stage;
using schedule::Task;

// Every packet of origin 0 is a block of its own.
std::vector<RelativeDestination> listed_destinations(const Stage& stage) {
  std::vector<RelativeDestination> destinations;
  for (const Packet& packet : stage.packets) {
    if (packet.origin == 0 && packet.to != schedule::to_all) destinations.push_back({packet.to});
  }
  return destinations;
}

// Every packet is a block of its own. None if a packet is for all nodes.
std::vector<Delivery> listed_deliveries(const Stage& stage) {
  std::vector<Delivery> deliveries;
  for (const Packet& packet : stage.packets) {
    if (packet.to == schedule::to_all) return {};
    deliveries.push_back({packet.origin, packet.to});
  }
  return deliveries;
}

// The collective isotropic or task with the traffic that the first stage lists. An isotropic task that is not
// the same from every node, as around failures, is a task.
std::optional<Task> listed_task(const Plan& plan) {
  if (plan.schedule.stages.empty()) return std::nullopt;
  Task task{.collective = plan.task.collective, .root = plan.task.root};
  const Stage& first = plan.schedule.stages.front();
  const bool replicated = first.replication.kind != Replication::Kind::none;
  if (task.collective == Collective::isotropic && replicated && plan.failed.empty()) {
    task.destinations = listed_destinations(first);
  } else {
    task.collective = Collective::task;
    task.deliveries = listed_deliveries(first);
    if (task.deliveries.empty()) return std::nullopt;
  }
  return task;
}

}  // namespace

std::optional<Problem> listed_problem(const Plan& plan) {
  Problem problem = problem_of(plan);
  const Collective collective = problem.task.collective;
  if (collective != Collective::isotropic && collective != Collective::task) return problem;
  auto task = listed_task(plan);
  if (!task) return std::nullopt;
  problem.task = *std::move(task);
  return problem;
}

std::vector<Bound> listed_bounds(const Plan& plan) {
  const auto problem = listed_problem(plan);
  return problem ? lower_bounds(*problem) : std::vector<Bound>{};
}

}  // namespace isotrope::bound
