// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of a round of messages between far nodes on a cut-through machine.
//
// The busiest link is found under the routes of isotropic tasks (algorithm/exchange/route_choice.hpp). If all
// nodes send alike, these routes are balanced; if some do, the busiest link is taken to be one that leaves a node,
// for machines route axis by axis: half of all messages leave the root of a hypercube over one link.
//
// Cost: O(distance) per message.
#pragma once

#include <cstdint>
#include <map>

#include "isotrope/network/network.hpp"

#include "isotrope/cost/cut_through.hpp"

namespace isotrope::planner {

/// The number of blocks that a node sends to the node at each offset.
using BlocksByOffset = std::map<network::Node, std::uint64_t>;

/// Which nodes send: all, or some, to others that receive one message each.
enum class Senders { all, some };

/// @pre `blocks` is not empty, and offsets are not 0.
cost::CutThroughRound routed_round(const network::Network& network, const BlocksByOffset& blocks,
                                   Senders senders);

}  // namespace isotrope::planner
