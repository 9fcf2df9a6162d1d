// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan chosen for a size and a machine.
#pragma once

#include <string>

#include "isotrope/planner/choice.hpp"

#include "app/describe.hpp"
#include "app/subject.hpp"

namespace isotrope::app {

struct ChosenPlan {
  Subject subject;
  planner::Choice choice;
};

/// The choice for the size of --bytes and its plan, not yet verified. Parts, aggregation, order and algorithm stay
/// as far as options give them. The machine is that of the options, or cluster().
/// @pre options.bytes.
/// @throws Error if a plan file is given or anything is out of range.
ChosenPlan chosen_by_size(const PlanOptions& options);

/// Lines with the machine, the size and the predicted time; with --explain also the whole of explain().
std::string choice_in_words(const PlanOptions& options, const planner::Choice& choice);

/// Adds the prediction; with --explain also candidates and bound.
void add_choice(Json& facts, const PlanOptions& options, const planner::Choice& choice);

}  // namespace isotrope::app
