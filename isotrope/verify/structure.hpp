// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be checked before any hop is followed: that the stages fit the collective, the network and each
// other, and that their packets are those the collective asks for.
#pragma once

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Adds what is wrong; where it adds nothing, every stage's packets are well defined (schedule::Packets) and
/// in range.
void check_structure(const Plan& plan, Violations& violations);

/// The nodes that take part: all but the failed ones, ascending.
std::vector<Node> surviving_nodes(const Plan& plan);

/// Their number.
std::uint64_t surviving_count(const Plan& plan);

}  // namespace isotrope::verify
