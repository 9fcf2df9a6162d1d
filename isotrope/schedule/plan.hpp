// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: a schedule with all a stranger needs to check it (network, task), the bound it is held against, and
// what is claimed.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

using network::Link;

struct Claims {
  std::uint64_t rounds = 0;
  std::uint64_t hops = 0;  ///< hops listed, before replication
  bool optimal = false;    ///< the schedule is valid and its rounds equal the bound
  std::vector<std::uint64_t>
      link_load;  ///< combining rounds only: the most packets on one link, a round each

  bool operator==(const Claims&) const = default;
};

struct Plan {
  Network network;
  Failures failed;
  Task task;
  Schedule schedule;
  Bound bound;
  Claims claims;
};

/// The problem that `plan` solves. Port model and aggregation limit are those of its schedule.
Problem problem_of(const Plan& plan);

}  // namespace isotrope::schedule
