// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithms that follow from others: reversed, reversed and then forward, gathered and then reduced.
#pragma once

#include <memory>
#include <vector>

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

/// What the traits of `original` derive from it, and of an allgather the allreduce and the barrier that gather
/// every contribution at every node. They refer to `original`, which must outlive them.
std::vector<std::unique_ptr<const Algorithm>> derived_from(const Algorithm& original);

}  // namespace isotrope::planner
