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
//     far-nodes     too many nodes are too far away from all that can know a packet
//                   early on; joins distance and doubling                               far_nodes.cpp
//     ramp          in the first rounds of a broadcast few nodes have anything to send    ramp.cpp
//     root-sends    a packet that the root sends once takes long                        root_sends.cpp
//     paths         a flow over time: few ways from the root to a node are short        paths.cpp
//     gossip        half duplex: the ways to hear of others grow 1.618-fold a round     gossip.cpp
//     fronts        half duplex, on a ring: messages that meet delay each other         fronts.cpp
//     prices        of a task: what packets pay for links and ports, over what a round
//                   takes in                                                            prices.cpp
//     work          all transmissions, over those of a round: half duplex pairs up
//                   nodes; an allreduce takes 2 (N - 1) a packet                        work.hpp
//     tracks        without waiting: packets take turns on as many tracks as there are
//                   links, each on one from its first hop to its last                   tracks.hpp
//     cut           packets that must leave or enter a set of nodes, over its links     cut.cpp
//
// Messages of up to K packets count K-fold. If they carry any number of packets, distance, doubling,
// far-nodes, gossip and fronts hold. A task run backwards takes
// as long, so gather, reduce and reduce-scatter share the bounds of scatter, broadcast and allgather. Scan and exscan
// bring the contribution of node 0 to every node, so all bounds of its broadcast hold; their cuts count different sums
// (prefix_cut.hpp).
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
