// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets of nodes that much has to cross and few links leave: slabs, and slabs bent around failures.
//
//     slab    the nodes of which a coordinate is in an interval, around the axis too: all positions and widths
//     bent    a slab from which nodes were moved to the other side, and back, one at a time: in every step the move,
//             among nodes at the border, that leaves the most to cross over a link. A node that was moved stays for
//             some steps
//
//     . . . . # # # #        . . . . # # # #
//     . . . . # # # #        . . . # # # # #
//     . . .   # # # #   ->   . . .   # # # #      5 links leave the bent set, 4 + 1 of 15 nodes
//     . . . . # # # #        . . . . # # # #
//
// All in whole numbers, so that every machine finds the same sets.
// Cost: links and, for a coordinate of modulus m, at most 512, m^2 degree; about 2^22 moves that are looked at.
// Source: C. M. Fiduccia, R. M. Mattheyses, A linear-time heuristic for improving network partitions, DAC 1982, with a
// tabu list (F. Glover 1989) in place of passes.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::bound {

/// What has to cross the border of n nodes, m others being left, one way.
enum class Crossing {
  pairs,       ///< a packet from every node to every other one: n m
  larger_side  ///< every node's packet to all others: the larger of n and m
};

struct NodeCut {
  std::uint64_t inside = 0;  ///< nodes; 0: none was found
  std::uint64_t border = 1;  ///< links that leave them
  std::string where = {};    ///< in words, as "with coordinate 0 in 2..5"
};

/// The set found with the most to cross over a link. @pre the nodes that are up are connected.
NodeCut best_cut(const network::SurvivingNetwork& network, Crossing crossing);

/// Packets that cross between n nodes and m others.
std::uint64_t crossing_packets(Crossing crossing, std::uint64_t n, std::uint64_t m);

}  // namespace isotrope::bound
