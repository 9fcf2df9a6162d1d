// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Isotropic exchange without waiting: a packet, once sent, moves in every round until it arrives, so nodes need no
// buffers for packets in transit.
//
//     blocks    Most packets are in perfect blocks (perfect_blocks.hpp), one after the other: nothing is in flight between
//               them, so a barrier after each is free
//     kernel    The other packets, with the blocks of few hops and some of each other length, are placed by an ejection
//               search (ejection_search.hpp) in the rounds that are left
//     classes   If a packet half-way round has no twin, ports and their opposites cannot carry the same as long as all
//               nodes do the same. Then even and odd nodes differ, by the parity of a coordinate
//               (schedule::Replication), and every such coordinate is tried
//     rounds    The search begins at the target, with half of the effort, and goes on with one round more and half of
//               what is left, and so on. It ends, because enough rounds have a free place for every packet
//
//     twisted-torus:4x4x8    74 rounds, the bound; 4x8x8: 37 blocks and a kernel in 184 rounds, the bound
//
// Claims: the lower bound that holds even with waiting, on tori, twisted tori, cubes and hexagonal meshes of the tests. On
// tori p^d, p odd and d a power of two, and on hexagonal meshes, there is no kernel: a closed form. Cost: routes,
// blocks and search; seconds at most without a time limit.
#pragma once

#include <span>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// The exchange `task` of alltoall, neighborhood or isotropic, whose blocks of one part go to `destinations`, over all
/// ports: one stage, moved, whose packets do not wait, with a barrier after every block. Replicated to all
/// origins or by an even coordinate; listed packets are numbered as by isotropic_packets, those of node 0 first.
/// `limits.links` counts places looked at. @pre the destinations are nodes.
schedule::Schedule no_wait_exchange(const network::Network& network, const schedule::Task& task,
                                    std::span<const schedule::RelativeDestination> destinations,
                                    const SearchLimits& limits);

}  // namespace isotrope::algorithm
