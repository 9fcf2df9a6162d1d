// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce on a product whose last axis is complete, as that of several ranks a node (network/node_places.hpp), by one place of
// every node, its leader, place 0 there; or by all places, each the leader of a stripe of the vector: place s of stripe s.
//
//     in        the places of a node send to their leader, along a tree on complete:R for R places a node
//     among     the leaders carry out any exchange on the network of the nodes; what a leader adds as its own contribution is the sum of its node
//     out       every leader passes the result on, along the same tree
//
// All stripes do so in the same rounds, by the same tree, s places further.
//
//     recursive doubling on complete:8xcomplete:3, one port    2 + 3 + 2 rounds, 16 + 24 + 16 messages
//     reduction and broadcast of the same                      2 + 3 + 3 + 2 rounds, 46 messages
//
// By one leader few processors send between nodes, and every node has 2 (R - 1) messages in memory; by R of them messages are as
// many as in R such exchanges, and have 1 / R of the bytes. The nodes add in the order of the exchange.
//
// Claim: twice the rounds of the tree and those of the exchange. Cost: O(messages).
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/leader_ports.hpp"

namespace isotrope::algorithm {

/// The allreduce, in aggregated rounds: one stage, an exchange that lists the hops of all nodes, over `ports`.
/// @param among a valid allreduce of the nodes in `parts` parts: one stage, an exchange, over the ports of `joined`
/// @param node a broadcast of one packet from place 0 on complete:R, of one stage in which no place gets it twice
/// @param stripes 1, or R: the allreduce has so many times `parts` parts, one stripe after the other
/// @pre lanes exist, and none has failed
schedule::Schedule leader_exchange(const network::Network& network, const LeaderPorts& ports,
                                   std::uint32_t parts, const schedule::Schedule& among,
                                   const network::Network& joined, const schedule::Schedule& node,
                                   std::uint32_t stripes);

}  // namespace isotrope::algorithm
