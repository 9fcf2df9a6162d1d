// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast, scatter, allgather, alltoall and isotropic exchanges with merged messages, after a timetable
// (timetable.hpp).
//
// A round sends all packets with one departure (round, port) as one message. All schedules take as many rounds as
// the table, for most tables the diameter, the least; packets go as far as their chains of addresses are long.
// Broadcast is allgather for one origin. An isotropic exchange is the part of alltoall that its destinations name,
// without the rounds in which nothing is left to send: the 26 neighbours of a node in a cube of torus:8x8x8 take 3
// rounds of 2 messages each. Gather, reduce and reduce-scatter are scatter, broadcast and allgather
// reversed.
//
// Claim: the loads of scatter and allgather add up to the sum over rounds t of the most entries (t, g) of the table
// over all ports g; with equally many entries for every port and round that is (N-1) P / degree, the degree bound.
// The tables state the loads of alltoall.
// Cost: allgather O(N P); scatter and alltoall O(N P rounds). That is O(hops) if chains are shortest and rounds are
// the diameter D: the distances of a node to 0 and to a node D away from 0 add up to at least D, and both have the
// same mean.
// Sources: Bertsekas et al. 1991, Section 2 (one schedule for all nodes); Johnsson and Ho 1989 (packets that
// merge along many trees at once).
#pragma once

#include <span>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/traffic.hpp"

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

/// Every node sends blocks to `destinations`, in relative addresses: one stage, moved, replicated to all origins, with
/// its packets listed. A block for 0 does not move. @pre as above, for the number of blocks instead of nodes.
schedule::Schedule timetable_exchange(const network::Network& network,
                                      std::span<const schedule::RelativeDestination> destinations,
                                      std::uint32_t parts, schedule::PortModel ports,
                                      const Timetable& timetable);

}  // namespace isotrope::algorithm
