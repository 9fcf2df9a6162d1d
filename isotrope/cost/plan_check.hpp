// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What must hold of a plan before its hops are followed without looking again.
#pragma once

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

/// @throws Error where the workload does not fit the plan, stages differ in replication or in the number of
/// packets, a packet begins outside the network, a hop names a packet, node or port that does not exist, or
/// all hops together carry more than 2^63 bytes.
void check(const schedule::Plan& plan, const Workload& workload);

}  // namespace isotrope::cost
