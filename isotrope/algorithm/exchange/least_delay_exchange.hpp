// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic tasks in the least time and, in that time, with small delays: the mean arrival time of the packets of an
// origin is as early as the search finds. All ports.
//
//     groups      As many packets of one length as there are ports, which a turn of the network permutes; they
//                 keep every port busy and arrive together, after as many rounds as they have hops
//                 (orbit_groups.hpp).
//     rest        Packets without a group, and as many of the longest groups as fill the ports meanwhile, form a
//                 task matrix, cleared with short rows first (shortest_first.hpp). A small rest takes over more
//                 groups, and rows of equal length are tried in several orders; the best result is kept.
//     order       A group of D packets of length i is worth D / i arrivals per round. The rounds of the rest are
//                 cut where this makes the early pieces worth most. All pieces are sorted by their worth, which
//                 is the best order of these pieces (W. E. Smith's rule).
//
// If groups miss the least number of rounds, or no turn is known, all packets are the rest, with the routes of
// isotropic_exchange.hpp. If those routes differ for even and odd nodes (even_axis_exchange.hpp), only the packets
// off the even axis are ordered, and those along the axis come last.
//
// Claims, for total exchange: the rounds of isotropic_exchange.hpp. The delay bound (bound/delay.hpp) is met on
// hypercubes of prime dimension, hexagonal meshes, odd rings, and tori of equal odd extents on 2^j axes. On other
// hypercubes, and on tori of 2 or more equal extents, the sum of the delays was less than 0.5 % above the bound in
// all trials (some in least_delay_exchange_test.cpp). Elsewhere the bound may be out of reach; on rings of even
// extent from 6 the sum is far above it.
// Cost: O(N + hops) and that of the rest, at most some 2^20 cells tried if it is small; at most 2^32 hops.
// Memory: 24 bytes per node, 12 per hop, and for the rest 8 per cell.
// Source: Varvarigos and Bertsekas 1992, Sections 6 and 8.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// alltoall or neighborhood, cut into the task's parts, for all ports. One stage, moved and replicated to all
/// origins, with its packets implied (alltoall) or listed; or as in isotropic_exchange.hpp.
/// @throws Error for other collectives.
schedule::Schedule least_delay_exchange(const network::Network& network, const schedule::Task& task);

/// The same for an isotropic task: `destinations` ascending, each once, every block cut into `parts` >= 1.
/// A block for 0 does not move. @throws Error if a destination is no node or not above the one before, parts is
/// 0, or there are 2^32 or more packets.
schedule::Schedule least_delay_exchange(const network::Network& network,
                                        std::span<const schedule::RelativeDestination> destinations,
                                        std::uint32_t parts);

}  // namespace isotrope::algorithm
