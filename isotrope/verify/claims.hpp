// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds a plan's bound and claims against what the checker measured and recomputes.
#pragma once

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Sets the report's bound and `optimal`, and adds every claim that does not hold. A plan that is not
/// `sound`, whose packets or failures make no sense, has no bound.
/// @pre `report` has valid, rounds, hops and link_load.
void check_claims(const Plan& plan, bool sound, Report& report, Violations& violations);

}  // namespace isotrope::verify
