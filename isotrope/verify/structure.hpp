// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks that follow no hop: the stages fit the collective, the network and each other, and their packets are
// those of the collective and of its traffic.
#pragma once

#include "isotrope/verify/violations.hpp"

namespace isotrope::verify {

/// Adds what is wrong. If nothing is wrong, the packets of every stage are well defined (schedule::Packets) and in
/// range.
void check_structure(const Plan& plan, Violations& violations);

/// The nodes that have not failed, ascending.
std::vector<Node> surviving_nodes(const Plan& plan);

/// The number of nodes that have not failed.
std::uint64_t surviving_count(const Plan& plan);

}  // namespace isotrope::verify
