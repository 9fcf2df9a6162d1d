// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan on tori, hypercubes and meshes, axis after axis.
//
// The last axis comes first, as its coordinate counts fastest in the numbers of nodes. Along an axis every node
// gathers one value of each node of its ring: the sum of all nodes that differ from that one in later axes only. Such
// a set is a run of consecutive numbers, so each value comes wholly before a node or wholly after:
//
//     scan on torus:2x3, node 4 = (1, 1)    axis 1    own {4}, {3} and {5}       adds {4} and {3}
//                                           axis 0    {0, 1, 2}                  adds it: 0..4
//
// Every message is one value: the sum of all that the node has when an axis begins, then what came in over the ring.
// The schedule is the same from every node, unless axes are open, and that of scan is that of exscan.
//
// Rounds of one part: over two ports or more floor(extent / 2) an axis, both ways round, and extent - 1 an open axis,
// together the diameter, which no schedule beats. Over one port extent - 1 an axis, so log2 N on a hypercube, which is the bound there as well. A
// part follows the one before when the ring and the ports are free again: after the rounds of the longest axis if all
// ports may be used. In aggregated rounds all parts go together.
//
// Cost: O(parts * (sum of extents) * axes), and N times as much with open axes.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// @pre the network is a torus by its ports (torus_axes.hpp), nothing but axes is missing, and ports are not half duplex
/// and two or more if axes are open.
schedule::Schedule axis_scan(const schedule::Problem& problem);
std::uint64_t axis_scan_rounds(const schedule::Problem& problem);
/// The hops that the schedule lists, at most.
std::uint64_t axis_scan_hops(const schedule::Problem& problem);
/// The values of a node in the end, its own among them.
std::uint64_t axis_scan_values(const schedule::Problem& problem);

}  // namespace isotrope::algorithm
