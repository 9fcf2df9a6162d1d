// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast on a product whose last axis is complete, as that of several ranks a node (network/node_places.hpp): one place of every node, its
// leader, has the whole vector before the others of the node get any of it.
//
//     leaders    the places of the root's lane: any broadcast of P packets among the nodes
//     node       at the end every leader passes the vector on along any broadcast of one packet on complete:R, for R places a node,
//                in messages of P packets
//
// So a node carries out R - 1 messages inside it, whatever P is, and one of its places works before the end; a broadcast that spreads every
// packet at once has P (R - 1) messages. Where processors carry out messages, and memory is much faster than links, that decides. Where
// messages in memory cost nothing, striped_broadcast.hpp is faster.
//
// Claim: the rounds of both broadcasts together; (N - 1) P transmissions, the least possible, if both have the least. If no place
// gets a packet twice in them, none does here, so the schedule reversed is a reduction. Cost: O(hops).
#pragma once

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/leader_ports.hpp"

namespace isotrope::algorithm {

/// The broadcast from `root` to all survivors, in aggregated rounds, over `ports`: one stage, copied, its packets implied.
/// @param among a broadcast among the nodes from root / R, of one stage, over the network whose ports `ports.between` knows
/// @param node a broadcast of one packet from place root % R on complete:R, of one stage
/// @pre lanes exist (algorithm/lanes.hpp); packets are implied
schedule::Schedule leader_broadcast(const network::Network& network, const network::Failures& failed,
                                    const LeaderPorts& ports, network::Node root, std::uint32_t parts,
                                    const schedule::Schedule& among, const schedule::Schedule& node);

}  // namespace isotrope::algorithm
