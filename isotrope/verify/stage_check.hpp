// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the hops of one stage, round by round, in the quotient by its translations.
#pragma once

#include <cstdint>

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Adds what is wrong with stage number `stage` to `violations` and what it measures to `report`.
/// @pre check_structure found nothing.
void check_stage(const Plan& plan, std::size_t stage, const Options& options, Violations& violations,
                 Report& report);

}  // namespace isotrope::verify
