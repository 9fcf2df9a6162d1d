// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce in as many rounds as the diameter, on any Cayley graph: every node is the root of a translated copy of one
// tree of shortest paths, towards which all nodes send, and equal subtrees share their messages.
//
// The subtree below node u, translated so that u is node 0, is its shape. In the copy for root x, node x + u sends to its
// parent the sum over the shape. So a node sends one sum for every shape and port to a parent, whatever the root:
//
//     ring:5, tree 0 - 1 - 2, 0 - 4 - 3    shapes {0}, {0 1}, {0 4}, 4 messages of a node: {0} over both ports in round 0,
//                                          {0 1} to the left and {0 4} to the right in round 1; flooding sends as many
//     hexmesh:5, 61 nodes                  24 messages of a node in 4 rounds, of 6 at the same time
//
// A message goes in the round after which the last contribution is there: that of the height of its shape. How many shapes there
// are depends on the order in which paths take the ports: many orders are tried. Several trees, each for an equal part of the
// vector, make the ports carry alike; each one is chosen to go best with those before.
//
// Rounds: the diameter, the least possible. Nodes add in different orders. Cost: O(N diameter) a tree; a schedule has a hop for
// every message of node 0.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The numbers of trees that are worth a try: more if that makes the busiest ports carry less. @pre 2 nodes or more
std::vector<std::uint32_t> shared_subtree_counts(const network::Network& network);

/// The allreduce along `trees` trees, each for one part of the vector: all ports, aggregated messages.
/// @pre one of shared_subtree_counts
schedule::Schedule shared_subtree_allreduce(const network::Network& network, std::uint32_t trees);

}  // namespace isotrope::algorithm
