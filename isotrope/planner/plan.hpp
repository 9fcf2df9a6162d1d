// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// From a request to a plan: chooses an algorithm of the catalogue and adds the bound. The claim of optimality
// is not made here: it belongs to whoever has verified the plan (`certify`).
#pragma once

#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

/// The lower bounds for what is requested, the largest first; one a kind.
/// @throws Error where failures took the root or cut survivors off from each other.
std::vector<schedule::Bound> request_bounds(const Request& request, schedule::RoundKind rounds);

/// The algorithm that serves `request`: the one it names, or else the one with the fewest
/// rounds among those that apply, the first of several.
/// @throws Error where the named algorithm is unknown (with the nearest names), plans another collective or
/// meets an obstacle, or where none applies; the message says what would work. Likewise where failures took
/// the root or cut survivors off from each other; it names those cut off.
const Algorithm& choose(const Request& request);

/// The plan by choose(request), with rounds and hops as claims and the largest lower bound; not yet claimed
/// optimal.
/// @throws Error as choose does.
schedule::Plan make_plan(const Request& request);

/// The same by an algorithm already chosen, which has no obstacle to the request.
schedule::Plan make_plan(const Request& request, const Algorithm& algorithm);

/// The plan with what every plan made here says of itself: rounds, hops, the loads of combining rounds, and the
/// largest lower bound. @pre it has none of these.
schedule::Plan with_claims(schedule::Plan plan);

/// Verifies `plan` and claims optimality for it exactly where the report shows it.
verify::Report certify(schedule::Plan& plan, const verify::Options& options = {});

}  // namespace isotrope::planner
