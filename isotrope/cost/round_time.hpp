// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of a plan in round-synchronous execution: in every round, the busiest processor prepares its messages, and
// then the most loaded link transfers them; the next round begins after that.
//
//     sum over rounds of (o * max over nodes of messages sent
//                         + max over links of the time of their bytes in one message)
//
// The time of a message is the machine's, or that of the link's class (link_times.hpp). Where all packets have B bytes, rounds are strict and o is 0, that is rounds (tau + B t_c), the complexity that the
// papers print. A round without hops takes no time. The machine's ports and overlap play no part: the plan's own port
// model says what a round may hold. Cost: O(hops). Source: Ho and Johnsson 1986, Section 3.3.
#pragma once

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

/// Seconds for all stages of `plan` with blocks of `workload`. @pre the plan is valid.
/// @throws Error if the machine or the workload is out of range or does not fit the plan or its network, or a
/// packet or a hop is outside the network.
double round_time(const schedule::Plan& plan, const Machine& machine, const Workload& workload);

}  // namespace isotrope::cost
