// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Bisection width: the fewest links between two halves of the nodes (equal, or one larger by one node).
//
// To find it is NP-hard, so it is enclosed:
//
//     at most     the best halves found by exchanging nodes (Fiduccia, Mattheyses 1982: move the node that
//                 gains most, lock it, keep the best halves passed), from halves by breadth-first order, by
//                 number and at random
//     at least    every pair of nodes in different halves is joined by shortest paths that cross over; if the
//                 pairs share their shortest paths evenly and no link is on more than b of them, floor(N/2)
//                 ceil(N/2) / b links must cross. b is the largest edge betweenness.
//
// The two meet on hypercubes, even tori, rings, trees.
// Cost: O(N links), and as much for every pass of exchanges.
#pragma once

#include <cstdint>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::graph {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

/// The most nodes of a network whose bisection is enclosed.
inline constexpr Node largest_bisected_order = 2048;

struct Bisection {
  std::uint64_t at_least = 0;
  std::uint64_t at_most = 0;
};

/// Bounds on the bisection width of the survivors.
/// @throws Error if there are more than 2,048 survivors.
Bisection bisection(const SurvivingNetwork& network);

}  // namespace isotrope::graph
