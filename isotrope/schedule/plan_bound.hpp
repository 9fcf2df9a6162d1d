// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lower bounds of a plan's task, also where only its packets say what the task is.
#pragma once

#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::schedule {

/// As lower_bounds for the plan's task, on what failures have left of the network; for isotropic and task,
/// for the packets that the first stage lists. None where the failures cut survivors off from each other or
/// took the root.
/// @pre failures and listed packets name nodes and links of the network, the packets surviving ones.
std::vector<Bound> lower_bounds(const Plan& plan);

}  // namespace isotrope::schedule
