// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast and multinode broadcast (allgather) without symmetry: around failures, under any port model.
//
// Every round is made by itself, from who holds what:
//
//     links      all ports: every link whose sender holds something new to the receiver; k ports or one: as
//                many of those as possible (a matching with k links a node each way), the receivers that hold
//                least first; half duplex: pairs of nodes, likewise one after the other
//     packets    a receiver's links carry different packets, so that as many carry one as possible (a
//                matching), the packets known to the fewest nodes first, ties broken at random
//
// No node gets a packet twice, so the schedule can be run backwards. Seeds are fixed: the same call gives the
// same schedule. One that misses the lower bound is searched for again where that is cheap.
//
// Claim: (N-1) transmissions a packet, the least possible, N counting survivors. The rounds are not proved to
// be the least; the bounds of bound/lower_bounds.hpp say how far off they can be.
// Cost of one search: O(rounds links packets), and above 64 packets that could be sent over a link O(rounds
// links).
// Source: Chen, Shin, Kandlur 1990, Section III, promise that a hexagonal mesh survives five failures; the
// method is local rarest first, as in file distribution among peers.
#pragma once

#include <span>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets from `root` to all survivors: one stage, copied, its packets implied.
/// @pre the root survives, and can reach all survivors.
schedule::Schedule rarest_first_broadcast(const network::SurvivingNetwork& network, network::Node root,
                                          std::uint32_t parts, schedule::PortModel ports);

/// `parts` >= 1 packets from every survivor to all others: one stage, copied, its packets listed by ascending
/// origin.
/// @pre survivors can reach each other. @throws Error where there are 2^28 pairs of a node and a packet or
/// more.
schedule::Schedule rarest_first_allgather(const network::SurvivingNetwork& network, std::uint32_t parts,
                                          schedule::PortModel ports);

}  // namespace isotrope::algorithm
