// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long the shortest paths between nodes are, and how many there are: the choice that adaptive routing has.
//
//     torus:4x4, from (0,0)     (1,0) 1 path    (1,1) 2 paths    (2,0) 2: ahead or back    (2,2) 24: 6 orders, 4 sides
//
// Paths are told apart by their links. Counted by a search from a node outwards: a node has as many paths as its
// neighbours that are one hop closer have together.
//
// Cost: O(N + links) per node that is searched from.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::graph {

using network::Node;
using network::Port;
using network::SurvivingNetwork;

/// A number of paths that does not fit: 2^64 - 1 or more.
inline constexpr std::uint64_t too_many_paths = UINT64_MAX;

/// The shortest paths from one node to another, over pairs of different nodes; all 0 without a pair.
struct ShortestPaths {
  std::uint32_t longest = 0;
  double mean_length = 0;
  std::uint64_t fewest = 0, most = 0;  ///< at most too_many_paths, which stands for more as well
  double mean_number = 0;              ///< infinite above the largest number
};

/// Over all pairs with the first node in `from`; one node is enough on a symmetric network.
/// @pre the nodes that are left can reach each other, and those of `from` are among them.
ShortestPaths shortest_paths(const SurvivingNetwork& network, std::span<const Node> from);

}  // namespace isotrope::graph
