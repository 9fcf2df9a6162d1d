// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast on a product whose last axis is complete, as that of several ranks a node (network/node_places.hpp): every place of a node carries a
// stripe of the vector.
//
//     stripe       packet p is in lane p mod R, for R places a node: places of the same number in all nodes
//     root         sends to the other places of its node the packets of their lanes, in the order in which they go on
//     lanes        every lane follows the same rarest-first broadcast on the network of the nodes, the others a little after that of the root
//     nodes        a place sends each packet of its lane to the other places of its node as soon as it has it
//
// So the links of a lane carry a stripe only, while the memory of the nodes carries the rest at the same time. Rounds: those of the broadcast of
// ceil(P / R) packets on the network of the nodes, 2 more, and what links inside a node need more if they are slower than all lanes of a place together.
//
// Claim: (N - 1) P transmissions, the least possible. A node gets every packet once, so the schedule reversed is a reduction.
// Cost: that of the broadcast on the network of the nodes, and O(hops).
#pragma once

#include <cstdint>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets from `root` to all survivors, over all ports: one stage, copied, its packets implied.
/// @pre lanes exist (algorithm/lanes.hpp); the root survives and can reach all survivors
schedule::Schedule striped_broadcast(const network::Network& network, const network::Failures& failed,
                                     network::Node root, std::uint32_t parts, const SearchLimits& limits);

}  // namespace isotrope::algorithm
