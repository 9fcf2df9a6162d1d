// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/listed_problem.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;
using schedule::Stage;
using schedule::Task;

// Every packet of origin 0 is a block of its own.
std::vector<schedule::RelativeDestination> listed_destinations(const Stage& stage) {
  std::vector<schedule::RelativeDestination> destinations;
  for (const schedule::Packet& packet : stage.packets) {
    if (packet.origin == 0 && packet.to != schedule::to_all) destinations.push_back({packet.to});
  }
  return destinations;
}

// Every packet is a block of its own. None if a packet is for all nodes.
std::vector<schedule::Delivery> listed_deliveries(const Stage& stage) {
  std::vector<schedule::Delivery> deliveries;
  for (const schedule::Packet& packet : stage.packets) {
    if (packet.to == schedule::to_all) return {};
    deliveries.push_back({packet.origin, packet.to});
  }
  return deliveries;
}

// The blocks of an allreduce that the first stage completes: its packets, and all their translates. Without translates,
// packets of one origin with different numbers are of different blocks. An exchange has a single block.
std::uint32_t listed_vector_blocks(const Plan& plan) {
  const Stage& stage = plan.schedule.stages.front();
  if (stage.flow == schedule::Flow::exchange || plan.task.parts == 0) return 1;
  const network::Group& group = hop_network(plan).group();
  const schedule::NodeClasses classes(group, stage.replication);
  if (classes.count() == 1) return group.order();
  if (stage.packets.empty()) return 1;
  std::set<std::tuple<schedule::Node, std::uint32_t, std::uint32_t>> parts_of_classes;
  for (const schedule::Packet& packet : stage.packets) {
    const std::uint32_t block = classes.size() == 1 ? packet.block : 0;
    parts_of_classes.insert({classes.of(packet.origin), block, packet.part});
  }
  return std::max<std::uint32_t>(
      1, static_cast<std::uint32_t>(parts_of_classes.size() / plan.task.parts * classes.size()));
}

// The collective isotropic or task with the traffic that the first stage lists. An isotropic task that is not
// the same from every node, as around failures, is a task.
std::optional<Task> listed_task(const Plan& plan) {
  if (plan.schedule.stages.empty()) return std::nullopt;
  const Stage& first = plan.schedule.stages.front();
  const bool replicated = first.replication.kind != schedule::Replication::Kind::none;
  if (plan.task.collective == Collective::isotropic && replicated && hop_failures(plan).empty())
    return Task{.collective = Collective::isotropic,
                .root = plan.task.root,
                .destinations = listed_destinations(first)};
  Task task{.collective = Collective::task, .root = plan.task.root, .deliveries = listed_deliveries(first)};
  return task.deliveries.empty() ? std::nullopt : std::optional(std::move(task));
}

}  // namespace

std::optional<Problem> listed_problem(const Plan& plan) {
  Problem problem = problem_of(plan);
  const Collective collective = problem.task.collective;
  if (collective == Collective::allreduce && !plan.schedule.stages.empty())
    problem.task.vector_blocks = listed_vector_blocks(plan);
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
