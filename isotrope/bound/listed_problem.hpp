// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The problem of a plan, as the packets of the plan list it: a plan of the collective isotropic or task names its
// traffic by the packets of its first stage alone.
#pragma once

#include <optional>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {

using schedule::Plan;

/// As problem_of(plan), with the traffic of isotropic and task: every packet of the first stage is a block of one
/// part; and with the blocks of an allreduce. An isotropic task whose stage has no translates, as around failures, becomes a task. Nothing if the plan
/// has no stage, or if a task lists no packet or one for all nodes.
std::optional<Problem> listed_problem(const Plan& plan);

/// The lower bounds of the listed problem; none if there is no such problem.
/// @pre as lower_bounds.
std::vector<Bound> listed_bounds(const Plan& plan);

}  // namespace isotrope::bound
