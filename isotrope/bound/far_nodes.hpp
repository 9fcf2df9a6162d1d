// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The far-nodes bound on broadcast over one port, for networks with many nodes at the diameter.
//
//     after 2 rounds     at most four nodes know the packet: 0, g, h and g + k, for some generators g, h, k
//     D rounds later     each of the four has reached one node at distance D at most, for the packet moved in
//                        every round on the way; four nodes at distance D from all four are informed, and no
//                        fifth
//
// If there are five such nodes wherever the packet went first, D the diameter, a broadcast takes D + 3 rounds or
// more. For P packets add P - 1: the last packet leaves the root P - 1 rounds later. A reduction takes as long.
//
// This is Theorem 3 of Chen, Shin, Kandlur 1990 without the mesh: on hexagonal meshes of size n >= 5 it gives
// n + 2.
// Cost: N distances, and degree^3 times the nodes at distance D.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::bound {

/// The fewest nodes at the greatest distance D from all four nodes that know a packet after 2 rounds, over all
/// ways of two rounds; 0 if the count would take more than 2^26 steps.
std::uint64_t fewest_far_nodes(const network::Network& network);

}  // namespace isotrope::bound
