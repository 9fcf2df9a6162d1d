// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a plan of an allreduce leaves its results between the stages: a block at every node, or all at one node.
#pragma once

#include "isotrope/schedule/plan.hpp"

namespace isotrope::rank {

/// Whether a plan that reduces leaves a result at every node rather than at one; false without a stage. Cost:
/// O(packets) at most.
bool reduces_blocks(const schedule::Plan& plan);

}  // namespace isotrope::rank
