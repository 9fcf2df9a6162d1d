// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The broadcast along the balanced tree of shortest paths, which serves every network and port model and is a
// part of other algorithms.
#pragma once

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

/// The schedule, from the root of the task.
schedule::Schedule plan_layered_broadcast(const Problem& problem);

/// Its rounds.
std::uint64_t layered_broadcast_rounds(const Problem& problem);

}  // namespace isotrope::planner
