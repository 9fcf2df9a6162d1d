// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules made of schedules: backwards, from another root, one after the other, in messages of several packets. Rounds
// made of lists of hops.
#pragma once

#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

struct TaskSchedule {
  Task task;
  Schedule schedule;
};

/// The schedule run backwards: rounds in reverse order, every hop over the same link the other way. It turns
/// broadcast into reduce, scatter into gather, allgather into reduce-scatter, each into the other, and
/// alltoall into alltoall, in the same number of rounds under the same port model. Neighborhood, isotropic
/// and task turn into their mirror images.
/// @throws Error if a copied packet reaches a node twice (its reverse would combine a contribution twice),
/// and for allreduce and barrier, whose stages must be reversed one by one.
TaskSchedule reverse(const Network& network, const Task& task, const Schedule& schedule);

/// A rooted schedule moved to another root by the translation root -> new_root.
/// @throws Error if the task has no root or new_root is outside the network.
TaskSchedule translate(const Network& network, const Task& task, const Schedule& schedule, Node new_root);

/// The stages of `first`, then those of `second`, as a schedule of `task`.
/// @throws Error if port models or round kinds differ.
Schedule concatenate(Schedule first, Schedule second);

/// A strict schedule with every packet replaced by the `k` >= 1 packets that follow each other in its block, which travel
/// in one message: of blocks in `parts`, from one of blocks in ceil(parts / k). Aggregated; no message has more than k.
Schedule group_packets(const Schedule& schedule, std::uint32_t parts, std::uint64_t k);

/// A strict schedule of moved blocks of one part, repeated for every part of blocks in `parts` >= 1, one after the other;
/// nothing is in flight in between.
Schedule part_after_part(const Schedule& schedule, std::uint32_t parts);

/// Adds a round of each list of hops, in order, to rounds of which none is under construction.
void append(std::span<const std::vector<Hop>> lists, Rounds& rounds);

}  // namespace isotrope::schedule
