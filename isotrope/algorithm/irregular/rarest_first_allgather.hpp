// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) around failures, without symmetry, under any port model.
//
// Every round is chosen from the packets that each node holds:
//
//     links      all ports: every link whose sender has news, a packet that the receiver lacks. k ports or one:
//                as many such links as possible (a matching with k links per node each way), receivers with
//                the fewest packets first. Half duplex: pairs of nodes, in the same order.
//     packets    The links of a receiver carry different packets, and as many links as possible carry one (a
//                matching). Packets that the fewest nodes hold come first; ties are broken at random.
//
// Over all ports the packets that the fewest neighbours of the receiver have come first (locally_rarest.hpp), and the
// above is tried only where that misses the bound. On a network with nothing but open axes, schedules with its symmetries
// come first.
//
// No node gets a packet twice, so the schedule can be reversed. Seeds are fixed: the same call gives the same
// schedule. A schedule that misses the lower bound is searched again with other seeds if that is cheap.
//
// Claim: (N-1) transmissions per packet, the least possible, for N survivors. The rounds are not proved least;
// the bounds of bound/lower_bounds.hpp say how far off the result can be.
// Cost per search: O(rounds links packets), or O(rounds links) if links have more than 64 packets to choose from.
// Source: Chen, Shin, Kandlur 1990, Section III, promise that a hexagonal mesh survives five failures; the
// method is local rarest first, as in file distribution among peers.
#pragma once

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets from every survivor to all others: one stage, copied, packets listed by ascending origin or in orbits.
/// @pre survivors can reach each other. @throws Error if there are 2^28 or more pairs of a node and a packet.
schedule::Schedule rarest_first_allgather(const network::SurvivingNetwork& network, std::uint32_t parts,
                                          schedule::PortModel ports);

}  // namespace isotrope::algorithm
