// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Lower bounds: numbers of rounds that no schedule of a problem can beat.
//
// Symbols: N nodes, D diameter, P parts, c the ports a node may send on in a round (degree, k or 1), n_j the
// packets that must go from a node to distance j or more. A file per kind says why its bound holds.
//
//     degree        a node must send or receive n packets over c ports                  degree.cpp
//     distance      the last packet to leave still has j hops to go                     distance.cpp
//     distance-sum  every packet needs as many hops as its distance, and a round has
//                   room for c per node                                                 distance_sum.cpp
//     port-sum      the same with weighted ports, the weighted-distance bound: some
//                   ports have more to carry than others                                port_sum.hpp
//     doubling      the dissemination bound: a packet known to m nodes is known to at
//                   most (c+1) m after the next round                                   dissemination.cpp
//     far-nodes     over one port, too many nodes are as far away as can be from all
//                   that know a packet early on                                         far_nodes.cpp
//     work          the matching bound: every delivery occupies a sender and a
//                   receiver, and a round has N of them (half duplex)                   matching.cpp
//     cut           packets that must leave or enter a set of nodes, over its links     cut.cpp
//
// Aggregated rounds carry any number of packets, so only distance and doubling hold. A task run backwards takes
// as long, so gather, reduce and reduce-scatter share the bounds of scatter, broadcast and allgather.
// Sources: Bertsekas et al. 1991, Table I and Sections 2 to 4; Ho and Johnsson 1986, Section 2; Varvarigos and
// Bertsekas 1992, Theorem 1, for any task.
//
// Cost: the intact network is symmetric, node 0 stands for all, and closed forms take O(D), or O(destinations),
// beside the searches of port_sum.hpp and far_nodes.cpp. A task takes O(deliveries log deliveries + N). Around
// failures: a breadth-first search per node that sends.
#pragma once

#include <vector>

#include "isotrope/schedule/bound.hpp"
#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Bound;
using schedule::Problem;

/// Every lower bound known for the problem, the largest first; one per kind. None if the failures took the root or
/// disconnect nodes that are up.
/// @pre failures and traffic name nodes and links of the network, deliveries of task nodes that are up; fewer
/// than 2^32 packets in all.
std::vector<Bound> lower_bounds(const Problem& problem);

}  // namespace isotrope::bound
