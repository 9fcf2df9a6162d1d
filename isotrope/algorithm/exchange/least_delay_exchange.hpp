// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic tasks in the least time and, in that time, with small delays: packets arrive as early as they
// can, on average over those of an origin. All ports.
//
//     groups      As many packets of one length as there are ports, which a turn of the network takes to each
//                 other; they keep every port busy and arrive together, after as many rounds as they have
//                 hops (orbit_groups.hpp).
//     rest        What has no group, and as many of the longest groups as it takes to fill the ports
//                 meanwhile, is a task matrix, cleared with short rows first (shortest_first.hpp). While it
//                 is small, more groups are left to it, rows of equal length are tried in several orders, and
//                 the best is kept.
//     order       A group of D packets of length i is worth D / i arrivals a round. The rounds of the rest
//                 are cut where this makes the early pieces worth most. All pieces are put in order of their
//                 worth, which is the best order of these pieces (W. E. Smith's rule).
//
// Where groups do not lead to the least number of rounds, or no turn is known, all packets are the rest, by
// the routes of isotropic_exchange.hpp. Where those differ for even and odd nodes (even_axis_exchange.hpp),
// only the packets off the even axis are put in order, and those along it come last.
//
// Claims, for total exchange: the rounds of isotropic_exchange.hpp; and the delay bound (bound/delay.hpp) is
// met on hypercubes of prime dimension, hexagonal meshes, odd rings, and tori of equal odd extents on 2^j
// axes. On other hypercubes, and on tori of 2 or more equal extents, the sum of the delays was less than
// 0.5 % above it whenever tried (least_delay_exchange_test.cpp has some). Elsewhere the bound may be out of
// reach, and on rings of even extent from 6 this is far above it.
// Cost: O(N + hops) and that of the rest, at most some 2^20 cells tried where it is small; 2^32 hops at most.
// Memory: 24 bytes a node, 12 a hop, and for the rest 8 a cell.
// Source: Varvarigos and Bertsekas 1992, Sections 6 and 8.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// alltoall or neighborhood, cut into the task's parts, for all ports. One stage, moved and replicated to all
/// origins, with its packets implied (alltoall) or listed; or as isotropic_exchange.hpp has it.
/// @throws Error for other collectives.
schedule::Schedule least_delay_exchange(const network::Network& network, const schedule::Task& task);

/// The same for an isotropic task: `destinations` ascending, each once, every block cut into `parts` >= 1.
/// A block for 0 stays where it is. @throws Error where a destination is no node or not above the one before,
/// where parts is 0 or there are 2^32 packets or more.
schedule::Schedule least_delay_exchange(const network::Network& network,
                                        std::span<const schedule::RelativeDestination> destinations,
                                        std::uint32_t parts);

}  // namespace isotrope::algorithm
