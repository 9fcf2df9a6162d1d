// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A schedule over an overlay (overlay_rounds.hpp) on some nodes of a larger network: those that have not failed.
//
//     line:3 on nodes 0, 2 and 3 of ring:4    a message from 1 to 2 goes from node 2 to node 3
//
// Cost: O(hops).
#pragma once

#include <span>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

/// The schedule whose node i is places[i] of `network`; its other nodes send and receive nothing. @pre one stage, in which nothing is
/// replicated; ascending places, one for each node
OverlaidSchedule on_places(const OverlaidSchedule& written, std::span<const network::Node> places,
                           const network::Network& network);

}  // namespace isotrope::algorithm
