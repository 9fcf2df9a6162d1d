// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan chosen for a block size and a machine.
#pragma once

#include <string>

#include "isotrope/planner/choice.hpp"

#include "app/describe.hpp"
#include "app/options.hpp"

namespace isotrope::app {

/// Whether the options ask for a choice by size: a machine, or --explain.
bool asks_for_choice(const Options& options);

struct ChosenPlan {
  Subject subject;
  planner::Choice choice;
};

/// The choice for blocks of --bytes and its plan, not yet verified. Parts, merging, order and algorithm stay
/// as far as options give them.
/// @throws Error where --bytes is missing, a plan file is given, or anything is out of range.
ChosenPlan chosen_by_size(const Options& options);

/// Lines with the machine, the bytes and the predicted time; with --explain also all that explain() says.
std::string choice_in_words(const Options& options, const planner::Choice& choice);

/// Adds the prediction; with --explain also candidates and bound.
void add_choice(Json& facts, const Options& options, const planner::Choice& choice);

}  // namespace isotrope::app
