// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan, exscan, allreduce and barrier on tori, hypercubes and meshes, axis after axis.
//
// Along an axis every node gathers one value of each node of its ring: the sum of all that this node has when the axis begins. In
// the end it has the contributions of all nodes, and adds them, or for a scan those of the nodes before it: the last axis
// comes first there, as its coordinate counts fastest in the numbers of nodes, so a value is a run of consecutive numbers,
// wholly before a node or wholly after:
//
//     scan on torus:2x3, node 4 = (1, 1)    axis 1    own {4}, {3} and {5}       adds {4} and {3}
//                                           axis 0    {0, 1, 2}                  adds it: 0..4
//
// Every message is one value. The schedule is the same from every node, unless axes are open, and that of scan is that of exscan.
//
// Rounds of one part: over two ports or more floor(extent / 2) an axis, both ways round, and extent - 1 an open axis,
// together the diameter, which no schedule beats. Over one port extent - 1 an axis, so log2 N on a hypercube, which is the bound there as well. In a
// scan a part follows the one before when the ring and the ports are free again: after the rounds of the longest axis if all
// ports may be used. In an allreduce as many parts as there are axes begin with different ones: together, if extents are equal.
// In aggregated rounds all parts go together.
//
// Nodes add in different orders, except if no axis has more than two nodes.
//
// Cost: O(parts * (sum of extents) * axes), and N times as much with open axes.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// @pre the network is a torus by its ports (torus_axes.hpp), nothing but axes is missing, and ports are not half duplex
/// and two or more if axes are open.
schedule::Schedule axis_exchange(const schedule::Problem& problem);
std::uint64_t axis_exchange_rounds(const schedule::Problem& problem);
/// The hops that the schedule lists, at most.
std::uint64_t axis_exchange_hops(const schedule::Problem& problem);
/// The values of a node in the end, its own among them.
std::uint64_t axis_exchange_values(const schedule::Problem& problem);

}  // namespace isotrope::algorithm
