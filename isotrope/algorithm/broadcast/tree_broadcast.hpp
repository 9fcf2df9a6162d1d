// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of P packets along one spanning tree, pipelined, on any network and under any port model.
//
// A node that got a packet in round a-1 sends it to its children in rounds a, a + 1, ... (one port), in groups of
// k (k ports) or in round a (all ports), in the order of its list. The next packet follows one period later. The
// period is the least that keeps the port model: the most rounds that any node spends on a packet, for sending
// and, under half duplex, receiving. If the last arrival of a packet takes h rounds, all is done after
// h + (P - 1) period rounds.
//
// On a hypercube these are the counts of Ho and Johnsson 1986, Sections 3.3 and 3.4 (the full-duplex count of the
// Hamiltonian path corrected from P + N - 3):
//
//                         half duplex     one port         all ports
//     Hamiltonian path    2P + N - 3      P + N - 2        P + N - 2
//     binomial tree       n P             n P              P + n - 1
//     two-rooted tree     3P + 2n - 5     2 (P + n - 2)    P + n - 1        (half duplex with n = 2: 2P)
//     balanced tree       n P + n - 2     n P + n - 2      P + n - 1
//
// Cost: O(hops).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/child_ports.hpp"

namespace isotrope::algorithm {

/// The broadcast of `parts` >= 1 packets from `root` along the tree of `child_ports`.
/// One stage, copied, not replicated. @pre the child ports of all nodes span a tree below root.
schedule::Schedule tree_broadcast(const network::Network& network, network::Node root, std::uint32_t parts,
                                  schedule::PortModel ports, const ChildPorts& child_ports);

/// The rounds of that schedule. Cost: O(N) for any number of parts.
std::uint64_t tree_broadcast_rounds(const network::Network& network, network::Node root, std::uint32_t parts,
                                    schedule::PortModel ports, const ChildPorts& child_ports);

}  // namespace isotrope::algorithm
