// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any task, isotropic or not, on any network, whole or damaged, and under any port model.
//
//     routes    Every packet takes a shortest path over lightly loaded links, found by beam search (the sum of
//               squared loads grows least). Then every packet is taken out and routed again, twice. With limited ports
//               the loads of nodes count too, in fourth powers.
//     rounds    Every link sends the packet with the most hops to go. Ties go to the destination with the
//               smallest relative address, so that origins differ. With limited ports, the links of the nodes that have
//               the most left to send or to receive are served first: most exchanges then take as many rounds as the busiest
//               node has packets. Or, where that takes fewer rounds, as in gathers, those with the farthest packets.
//     deadline  If there is time for a search: packets are put anew into one round fewer, any way round
//               (deadline_routing.hpp), as often as it succeeds.
//
// Around failures detours relieve the busiest link over all ports (route_negotiation.hpp).
//
// Claim: the rounds are not proved least; the bounds of lower_bounds for deliveries (Theorem 1 of the source and its
// like) say how far off the result can be.
// Cost: O(hops degree) for the routes, O(hops) for the rounds; 28 bytes a hop and 24 a packet beside the schedule.
// Source: Varvarigos and Bertsekas 1992, Section 2 (tasks and their bound); the method is list scheduling.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// The most hops of all packets together: 5 GB with the schedule.
inline constexpr std::uint64_t most_routed_hops = std::uint64_t{1} << 27;

/// The schedule for `deliveries`, every block cut into `parts` >= 1: one stage, moved, not replicated, with the
/// packets of packets_of(). @pre the deliveries are between survivors that can reach each other, less than 65535 hops
/// apart. @throws Error if there are 2^32 or more packets, or more than most_routed_hops hops.
schedule::Schedule task_routing(const network::SurvivingNetwork& network,
                                std::span<const schedule::Delivery> deliveries, std::uint32_t parts,
                                schedule::PortModel ports, const SearchLimits& limits);

/// The same in messages of any number of packets, over all ports: every packet goes at once along a shortest path. As many
/// rounds as the farthest destination is away, the least. Cost: O(hops degree).
schedule::Schedule merged_task_routing(const network::SurvivingNetwork& network,
                                       std::span<const schedule::Delivery> deliveries, std::uint32_t parts);

}  // namespace isotrope::algorithm
