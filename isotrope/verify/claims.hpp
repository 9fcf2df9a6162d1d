// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a plan's bound and claims with what the checker measured and recomputes. What the plan leaves out is
// not compared: a bound without a kind, a reason, optimality, or the loads of aggregated rounds.
#pragma once

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Sets the report's bound and `optimal`, and adds every claim that does not hold. A plan that is not
/// `sound`, whose packets or failures make no sense, has no bound.
/// @pre `report` has valid, rounds, hops and link_load.
void check_claims(const Plan& plan, bool sound, Report& report, Violations& violations);

}  // namespace isotrope::verify
