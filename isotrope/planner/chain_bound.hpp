// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The chain bound: the time of messages that must follow each other. What a node at one end of the network has to tell a node
// at the other goes over a path of links, each in a later round than the one before, and a round takes at least the time of an
// empty message over each of its links. So no round-synchronous schedule takes less than the length of a shortest path, with
// the start-up of a link and the overheads of a message as the length of the link.
//
//     line of 3 links of 1, 9 and 1 us    end to end 11 us; three rounds of the least start-up take 3 us
//
// Proof: docs/bounds.md. Cost: a search from one node if the links of a port are alike, else from two, O(links log N) each.
#pragma once

#include "isotrope/schedule/problem.hpp"

#include "isotrope/cost/link_times.hpp"

namespace isotrope::planner {

/// Seconds; 0 for collectives of which no node has to reach all others. `message_s` are the overheads of a message.
double chain_bound(const schedule::Problem& problem, const cost::LinkTimes& times, double message_s);

}  // namespace isotrope::planner
