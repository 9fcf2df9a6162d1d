// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce over hubs, on any Cayley graph: between shared subtrees (as many rounds as the diameter D, many bytes) and a reduction
// to one node with a broadcast (2 D rounds, few bytes).
//
// In a slice of the vector, balls of radius r around hubs cover the network.
//
//     reduce    r rounds: every node sends what it has towards its nearest hub
//     spread    D rounds: every node receives the sums of all hubs, each as late as it can be
//
//     hexmesh:5, D = 4    radius    1      2      3          sums that a node sends, per slice
//                         rounds    5      6      7
//                         sums      8.1    4.9    3.4
//
// The later a sum comes, the more of them come together: a node that sends the sums of two hubs on to the same nodes, in the same
// rounds, receives them added up. From the last round backwards every node takes what it must receive then from as few neighbours
// as possible, preferring what these have by then anyway; then each sum moves to the latest round in which it is in time, and sums
// that are never needed apart are merged. Hubs and ties are drawn at random, again and again.
//
// Slices are translated to all nodes; several are turned by automorphisms that keep node 0, so that the ports carry alike.
//
// Rounds: D + r, or less if every node is nearer to a hub. Nodes add in different orders. Cost: O(N hubs (degree + D)) a draw, of up
// to 2^21 steps in all draws; a schedule O(hops).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/round_load.hpp"

namespace isotrope::algorithm {

struct HubShape {
  std::uint32_t radius = 1;  ///< 1..D - 1
  std::uint32_t turns = 1;   ///< images of the slice under automorphisms that keep node 0

  bool operator==(const HubShape&) const = default;
};

/// The shapes that are worth a try: for radii from 1 on, below the diameter, numbers of turns with ever less load on the busiest
/// ports, and at most `most_hops` hops each. Empty if the diameter is below 2. @pre no two ports have the same generator, here and below
std::vector<HubShape> hub_shapes(const network::Network& network, std::uint64_t most_hops);

/// The load of every round, in slices, of which there are hub_slices(). @pre one of hub_shapes(), here and below
std::vector<cost::RoundLoad> hub_loads(const network::Network& network, const HubShape& shape);
std::uint64_t hub_rounds(const network::Network& network, const HubShape& shape);
std::uint32_t hub_slices(const network::Network& network, const HubShape& shape);

/// All ports, aggregated messages.
schedule::Schedule hub_allreduce(const network::Network& network, const HubShape& shape);

}  // namespace isotrope::algorithm
