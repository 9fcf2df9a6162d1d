// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The problem, which is planned, bounded, verified and executed. problem_of(plan) is the problem of a plan
// (plan.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/network/failures.hpp"

#include "isotrope/schedule/port_model.hpp"
#include "isotrope/schedule/step_limits.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

using network::Failures;

/// No aggregation limit: any number of packets may share a message.
inline constexpr std::uint64_t unbounded = UINT64_MAX;

struct Problem {
  Network network;
  Failures failed = {};  ///< nodes and links that no schedule may use
  Task task = {};        ///< the collective with its root, parts and traffic
  PortModel ports = PortModel::all();
  /// The aggregation limit: the most packets that one message may carry. 1: rounds are strict, and a directed
  /// link carries one packet per round. Above 1: rounds are aggregated.
  std::uint64_t aggregation = 1;
  /// Whether packets may wait at nodes on their way.
  bool waiting = true;
  /// Whether the schedule is in steps that end with a barrier, and what a step may hold.
  std::optional<StepLimits> step_limits = {};

  bool aggregated() const { return aggregation > 1; }
};

}  // namespace isotrope::schedule
