// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast, scatter, allgather and alltoall with merged messages, after a timetable (timetable.hpp).
//
// A round sends all packets that the table has leave in it over a port as one message. All take as many
// rounds as the table has, the diameter for most tables, which is the least; packets go as far as their
// chains of addresses are long. Broadcast is allgather for one origin alone. Gather, reduce and reduce-scatter
// are scatter, broadcast and allgather reversed.
//
// Claim: the loads of scatter and allgather add up to the sum over rounds t of the most entries (t, g) of the
// table over all ports g; with as many entries for every port in every round that is (N-1) P / degree, the
// degree bound. The tables say what those of alltoall come to.
// Cost: allgather O(N P); scatter and alltoall O(N P rounds), which is O(hops) where chains are shortest and
// rounds are the diameter D: the distances of a node to 0 and to a node D away from 0 add up to D at least,
// and both are the same on average.
// Sources: Bertsekas et al. 1991, Section 2 (one schedule for all nodes); Johnsson and Ho 1989 (packets that
// merge along many trees at once).
#pragma once

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// Scatter from `root` of blocks in `parts` >= 1 parts: one stage, moved, not replicated.
/// @pre the table is one of `network` and keeps to `ports`, and nodes times parts stay below 2^32.
schedule::Schedule timetable_scatter(const network::Network& network, network::Node root, std::uint32_t parts,
                                     schedule::PortModel ports, const Timetable& timetable);

/// Broadcast from `root`: one stage, copied, not replicated. @pre as above.
schedule::Schedule timetable_broadcast(const network::Network& network, network::Node root,
                                       std::uint32_t parts, schedule::PortModel ports,
                                       const Timetable& timetable);

/// Allgather: one stage, copied, replicated to all origins. @pre as above.
schedule::Schedule timetable_allgather(const network::Network& network, std::uint32_t parts,
                                       schedule::PortModel ports, const Timetable& timetable);

/// Alltoall: one stage, moved, replicated to all origins. @pre as above.
schedule::Schedule timetable_exchange(const network::Network& network, std::uint32_t parts,
                                      schedule::PortModel ports, const Timetable& timetable);

}  // namespace isotrope::algorithm
