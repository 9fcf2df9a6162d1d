// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any task, isotropic or not, on any network, whole or damaged, and under any port model.
//
//     routes    every packet takes a shortest path over links with few packets so far (the sum of their
//               squares grows least), found by beam search; then twice every packet is taken out and routed
//               again, now knowing all the others
//     rounds    every link sends the packet that has the most hops to go, of several the one whose destination
//               its origin counts first, so that origins differ; where ports are limited, the links with the
//               farthest packets are served first
//
// No link waits that could send, so with all ports a packet is held up only by others on the links of its
// route.
//
// Claim: shortest paths, so the fewest transmissions. The rounds are not proved to be the least; the bounds
// of lower_bounds for deliveries (Theorem 1 of the source and its like) say how far off they can be.
// Cost: O(hops degree log degree) for the routes, O(hops log hops) for the rounds; 4 bytes a hop for the
// routes beside the schedule.
// Source: Varvarigos and Bertsekas 1992, Section 2 (tasks and their bound); the method is list scheduling.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule for `deliveries`, every block cut into `parts` >= 1: one stage, moved, not replicated, its
/// packets listed as packets_of() lists them. @pre the deliveries are between nodes of the network.
/// @throws Error where there are 2^32 packets or hops or more.
schedule::Schedule task_routing(const network::Network& network,
                                std::span<const schedule::Delivery> deliveries, std::uint32_t parts,
                                schedule::PortModel ports);

/// The same around failures, with detours where they lighten the busiest link (route_negotiation.hpp). @pre
/// the deliveries are between survivors that can reach each other, less than 65535 hops apart.
/// @throws Error as above.
schedule::Schedule task_routing(const network::SurvivingNetwork& network,
                                std::span<const schedule::Delivery> deliveries, std::uint32_t parts,
                                schedule::PortModel ports);

}  // namespace isotrope::algorithm
