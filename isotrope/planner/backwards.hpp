// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm that is another one run backwards: gather from scatter, reduce from broadcast, reduce-scatter
// from allgather.
#pragma once

#include "isotrope/schedule/transform.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

/// The reverse of the schedule that `forward` makes for `collective`.
template <schedule::Collective collective, schedule::Schedule (*forward)(const Request&)>
schedule::Schedule backwards(const Request& request) {
  Request other = request;
  other.task.collective = collective;
  return reverse(other.network, other.task, forward(other)).schedule;
}

}  // namespace isotrope::planner
