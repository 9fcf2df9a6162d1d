// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which a node prepares its messages of a round over an overlay, which is that of the overlay's ports.
//
//     ring:8, messages to x + 1 and x + 3, 1 us a start-up, a hop and a preparation
//         farthest first    both arrive after 4 us: short messages
//         nearest first     after 2 and 5 us; long ones share the link from x to x + 1 for a shorter time
//
//     ring:8, messages from 0 to 1 and to 7, then from 7 to 6, short ones
//         first port first    6 has its message after 5 us
//         last port first     after 4 us
//
// Cost: O(hops of the schedule).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::schedule {

/// By port of an overlay of `machine`: how far it leads from node 0, over the machine's links that are left, or over all of them if
/// nodes have failed.
std::vector<std::uint32_t> port_distances(const Network& machine, const network::Failures& failed,
                                          const Network& overlay);

/// Numbers the ports of the overlay in that order, of port_distances. Without an overlay nothing changes.
void order_sends(Plan& plan, SendOrder order);

}  // namespace isotrope::schedule
