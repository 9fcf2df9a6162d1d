// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) over few ports: all packets go round a Hamiltonian cycle.
//
// Node v, the v-th along the cycle, passes to node v + 1 its own packets, then every packet in order of arrival, except
// those of node v + 1.
//
//     one port       every node sends in every round
//     more ports     both ways round at once: half of the hops of a node's packets go forwards, the others backwards
//     half duplex    sends and receipts of a node alternate: node v sends in round t if
//
//         N even     v - t is even
//         N odd      o = (v - t) mod N is even and o <= N - 3, so that the node without a partner moves round the cycle
//
//         t = 0    0 -> 1   2 -> 3   4 -> 5          0 -> 1   2 -> 3   4
//         t = 1    1 -> 2   3 -> 4   5 -> 0          1 -> 2   3 -> 4   0
//
// Send k of every node is of a packet from as many nodes back, so a node always has a packet when its turn comes.
//
// Claim: (N - 1) P rounds over one port and ceil((N - 1) P / 2) over two, which is the bound of a node's receipts
// (bound/degree.cpp); over half duplex 2 (N - 1) P rounds for even N and 2 N P for odd N, which is the matching bound
// (bound/work.hpp): N (N - 1) P transmissions, and floor(N / 2) pairs of nodes per round. Cost: O(N^2 P).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule for `parts` >= 1 parts: one stage, copied, its packets listed by origin.
/// @pre `cycle` has every node of the network once, and successors are neighbours, the first node also of the last.
schedule::Schedule cycle_allgather(const network::Network& network, const std::vector<network::Node>& cycle,
                                   std::uint32_t parts, schedule::PortModel ports);

/// The rounds of that schedule. `degree` is the network's.
std::uint64_t cycle_allgather_rounds(network::Node nodes, network::Port degree, std::uint32_t parts,
                                     schedule::PortModel ports);

}  // namespace isotrope::algorithm
