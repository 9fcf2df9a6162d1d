// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes for the packets of an isotropic task, so chosen that all ports have as much to carry, as far as
// possible. The group is abelian, so a route is how often each port is used, in any order: a row of the task
// matrix.
//
//     torus axes    |x_i| hops in the shorter direction of axis i; half-way round, in the direction that has
//                   less to carry. For total exchange and neighbourhoods both directions then differ by one
//                   packet at most: the least critical sum that shortest routes have.
//     elsewhere     From the destination back to 0, straight on over a port that leads nearer as long as it
//                   does, then over the least loaded of those that do. On hypercubes, hexagonal meshes and
//                   complete networks the shortest row is unique; on others, where the rounds exceed a lower
//                   bound, balance_routes (route_balance.hpp) goes on from here.
//
// Cost: O(axes) a packet on tori, O(distance + turns * degree) elsewhere, and a distance a node.
// Source: Varvarigos and Bertsekas 1992, Sections 2 and 8, where all extents are equal.
#pragma once

#include <cstdint>
#include <span>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// A task matrix with one row a block, in the order of `destinations` and one column a port.
/// @pre the destinations are nodes, with fewer than 2^32 blocks in all.
TaskMatrix shortest_routes(const network::Network& network,
                           std::span<const schedule::RelativeDestination> destinations);

}  // namespace isotrope::algorithm
