// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The loads of the rounds of a schedule over an overlay, on the machine's own network: every message goes its way
// (overlay_routes.hpp), and the packets on each link are counted.
//
// Links side by side (network/rates.hpp) share what goes their way evenly.
//
// Ports of the overlay are taken to lead to the farthest nodes first, and nodes to send in the order of ports.
//
// Cost: O(hops of all messages); memory for a counter per directed link.
#pragma once

#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/schedule/overlay_messages.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/cut_through.hpp"

namespace isotrope::cost {

/// The loads of the rounds of all stages, a block of the result being a packet of the schedule. The hops go over the
/// ports of `overlay`, a network of the same nodes. The machine `lacks` some links, and nodes without messages; if links lie side by side,
/// links that close axes alone.
std::vector<CutThroughRound> routed_rounds(const network::Network& machine, const network::Failures& lacks,
                                           const network::Network& overlay,
                                           const schedule::Schedule& schedule);

/// The same of messages over their overlay.
std::vector<CutThroughRound> routed_rounds(const network::Network& machine, const network::Failures& lacks,
                                           const schedule::OverlayMessages& messages);

}  // namespace isotrope::cost
