// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans for the tests of this folder. Their form is right; most of them deliver nothing.
#pragma once

#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/io/plan_file.hpp"

namespace isotrope::io {

/// Allgather on a ring of 3 in one round.
schedule::Plan tiny_plan();

/// One plan for every branch of the format: rooted, failed, k-port, combining, even axis, listed packets, two
/// stages, unnamed network, awkward texts.
std::vector<schedule::Plan> varied_plans();

/// A strict scatter on torus:4x4 with `rounds` rounds of `width` hops.
schedule::Plan long_plan(std::uint32_t rounds, std::uint32_t width);

/// Any plan the format can hold, for RapidCheck: to be called inside a property.
schedule::Plan random_plan();

/// What write_plan writes.
std::string written(const schedule::Plan& plan, PlanFormat format);

}  // namespace isotrope::io
