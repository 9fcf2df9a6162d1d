// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checker's own value of a port-sum bound with the weights that a plan states: P times the sum of the weighted
// distances of the blocks of one origin, over the c largest weights together, rounded up. Any weights give a bound.
//
// Method: shortest routes from node 0 by Dijkstra's algorithm. Cost: O(N degree log N).
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::verify {

/// The value, or nothing if the plan is not an intact alltoall, neighborhood or isotropic task with stated traffic in
/// strict rounds, its weights are not one per port or all 0, or there are more than 2^22 links.
std::optional<std::uint64_t> stated_port_sum(const schedule::Plan& plan);

}  // namespace isotrope::verify
