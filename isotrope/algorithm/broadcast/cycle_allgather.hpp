// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) over half duplex: all packets go round a Hamiltonian cycle.
//
// Node v, the v-th along the cycle, passes to node v + 1 its own packets, then every packet in order of arrival, except
// those of node v + 1. In round t node v sends if
//
//     N even     v - t is even
//     N odd      o = (v - t) mod N is even and o <= N - 3, so that the node without a partner moves round the cycle
//
//     t = 0    0 -> 1   2 -> 3   4 -> 5          0 -> 1   2 -> 3   4
//     t = 1    1 -> 2   3 -> 4   5 -> 0          1 -> 2   3 -> 4   0
//
// Sends and receipts of a node alternate, so that a node always has a packet when its turn comes.
//
// Claim: 2 (N - 1) P rounds for even N and 2 N P for odd N, which is the matching bound (bound/work.hpp): N (N - 1) P
// transmissions, and floor(N / 2) pairs of nodes per round. Cost: O(N^2 P).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule for `parts` >= 1 parts: one stage, copied, its packets listed by origin.
schedule::Schedule cycle_allgather(const network::Network& network, std::uint32_t parts);

/// The rounds of that schedule.
std::uint64_t cycle_allgather_rounds(network::Node nodes, std::uint32_t parts);

}  // namespace isotrope::algorithm
