// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Aggregated messages along the tree of a broadcast of one packet: over each of its hops goes one message.
//
//     broadcast    the message holds all parts
//     scatter      the message holds the blocks of the receiver and of all nodes below it
//
// Rounds are those of the broadcast, so a broadcast of the fewest rounds makes both schedules the least: an
// aggregated scatter or broadcast informs every node, as the broadcast does. Cost: O(hops).
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets to the nodes that the broadcast reaches: one stage, copied, its packets implied.
/// @pre `one` is a broadcast of one packet from `root`, of one stage, in which no node gets the packet twice.
schedule::Schedule tree_message_broadcast(const schedule::Schedule& one, std::uint32_t parts);

/// A block in `parts` >= 1 parts for each of these nodes: one stage, moved, its packets implied. @pre as above.
schedule::Schedule tree_message_scatter(const network::Network& network, network::Node root,
                                        std::uint32_t parts, const schedule::Schedule& one);

}  // namespace isotrope::algorithm
