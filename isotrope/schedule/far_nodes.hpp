// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A lower bound on broadcast over one port, where many nodes are as far away as can be.
//
//     after 2 rounds     at most four nodes know the packet: 0, g, h and g + k, for some generators g, h, k
//     D rounds later     each of them has reached one node at distance D at most, for on the way there the
//                        packet moved in every round; so four nodes at distance D from all four are informed,
//                        and no fifth
//
// If wherever the packet went first there are five such nodes, D the diameter, a broadcast takes D + 3 rounds
// or more. For P packets add P - 1: the last one leaves the root so much later. A reduction takes as long.
//
// This is Theorem 3 of Chen, Shin, Kandlur 1990 without the mesh: on hexagonal meshes of size n >= 5 it gives
// n + 2.
// Cost: N distances, and degree^3 times the nodes at distance D.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::schedule {

/// The fewest nodes at the greatest distance D from all four that know a packet after 2 rounds, over all ways
/// in which they can have come to know it; 0 where that would cost more than 2^26 steps.
std::uint64_t fewest_far_nodes(const network::Network& network);

}  // namespace isotrope::schedule
