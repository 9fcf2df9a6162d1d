// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scatter on any network, with open axes and around failures, over all ports: by largest flows from the root.
//
//     a flow       P units from the root to every node. In T rounds a link of a node at distance j from the root
//                  carries at most T - j packets, since nothing comes to it before round j. T grows until the flow
//                  saturates; ways are shortest first, others only where these do not suffice
//     packets      take the ways into which the flow falls apart, the farthest destinations first
//     rounds       every link sends the packet with the most hops to go
//     over time    where these rounds miss T: a largest flow through the network over time, a copy of every node for
//                  each round, with capacity 1 from copy to copy over a link; if it saturates it is a schedule, in
//                  which units are named by the nodes at which they end
//
// Claim: the flow over time takes the fewest rounds of all schedules; it is tried if the copies have at most 2^22
// links. The other rounds are the bound on nearly all networks.
// Cost: a few flows. Memory: the hops, and the flow.
// Source: L. R. Ford, D. R. Fulkerson, Flows in Networks, 1962, for the flow over time.
#pragma once

#include <cstdint>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The blocks of `root`, cut into `parts` >= 1: one stage, moved, its packets implied. `bound`: rounds that no schedule
/// beats. @pre the root survives and can reach all survivors. @throws Error if there are 2^32 packets or more.
schedule::Schedule flow_scatter(const network::SurvivingNetwork& network, network::Node root,
                                std::uint32_t parts, std::uint64_t bound);

}  // namespace isotrope::algorithm
