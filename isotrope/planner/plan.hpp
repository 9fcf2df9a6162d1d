// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// From a problem to a plan: chooses an algorithm of the catalogue by its rounds and adds the bound. choice.hpp
// chooses by size for a machine. The claim of optimality is not made here: it belongs to the verifier of the
// plan (`certify`).
#pragma once

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

/// @throws Error if the task has no blocks, or if failures took the root or disconnected survivors; it names them.
void require_solvable(const Problem& problem);

/// The algorithm that solves `problem`: the preferred one, or else the one with the fewest rounds among those that
/// support it, the first of several. Algorithms for machines take no part.
/// @throws Error if the preferred algorithm is unknown (with the nearest names), solves another collective or
/// does not support the problem, or if none does; the message says what would work. Also if failures took the
/// root or disconnected survivors; it names them.
const Algorithm& choose(const Problem& problem, const Preferences& preferences = {});

/// The parameters that `preferences` fix, of a plan that is not chosen for a size.
Parameters parameters_of(const Preferences& preferences);

/// The plan by choose(problem, preferences), with rounds and hops as claims and the largest lower bound; not yet
/// claimed optimal.
/// @throws Error as choose does.
schedule::Plan make_plan(const Problem& problem, const Preferences& preferences = {});

/// The plan by `algorithm` with `parameters`. @pre the algorithm supports the problem.
schedule::Plan make_plan(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters);

/// Verifies `plan` and claims optimality for it exactly if the report shows it.
verify::Report certify(schedule::Plan& plan, const verify::Options& options = {});

}  // namespace isotrope::planner
