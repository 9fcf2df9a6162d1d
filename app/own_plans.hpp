// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan files of the user (planner/plan_folder.hpp) beside the catalogue.
#pragma once

namespace isotrope::app {

/// Registers the valid plans of the folder that ISOTROPE_PLANS names, at the first call; says on stderr which files are left
/// out, and why.
/// @throws Error if the folder cannot be read
void take_own_plans();

}  // namespace isotrope::app
