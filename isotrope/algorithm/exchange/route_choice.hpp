// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for the packets of an isotropic task, chosen so that all ports carry as nearly the same as possible. The
// group is abelian, so a route is the number of hops over each port, in any order: a row of the task matrix.
//
//     torus axes    |x_i| hops in the shorter direction of axis i; half-way round, in the direction with the
//                   smaller load. For total exchange and neighbourhoods both directions then differ by one
//                   packet at most: the least critical sum of shortest routes.
//     elsewhere     From the destination back to 0: straight on over a port that leads nearer, while it does,
//                   then over the least loaded of the ports that do. On hypercubes, hexagonal meshes and
//                   complete networks the shortest row is unique; on others, if the rounds exceed a lower
//                   bound, balance_routes (route_balance.hpp) improves the result.
//     copies        where several ports lead the same way (network/rates.hpp), the routes are those over one of them, and
//                   the copies share their hops evenly.
//
// Cost: O(axes) per packet on tori, O(distance + turns * degree) elsewhere, and one distance per node.
// Source: Varvarigos and Bertsekas 1992, Sections 2 and 8, for equal extents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// The destinations with `parts` packets for each block.
std::vector<schedule::RelativeDestination> in_packets(std::span<const schedule::RelativeDestination> blocks,
                                                      std::uint32_t parts);

/// A task matrix with one row per block, in the order of `destinations`, and one column per port.
/// @pre the destinations are nodes, with fewer than 2^32 blocks in all.
TaskMatrix shortest_routes(const network::Network& network,
                           std::span<const schedule::RelativeDestination> destinations);

}  // namespace isotrope::algorithm
