// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a network that some of its nodes are, as a network of their own: rows, columns, planes, sub-cubes and blocks of a
// product of lines, rings and complete networks.
//
//     torus:8x8, nodes 16 .. 23                 a row          ring:8
//     torus:8x8, nodes 3, 11, 19, ...           a column       ring:8
//     torus:8x8, a block of 4 x 8               rows 0 to 3    line:4xring:8
//     hypercube:6, nodes 0 .. 7                 a sub-cube     hypercube:3
//
// The nodes must be a box: along every axis some coordinates, and every combination of them. On a ring or line the coordinates
// follow each other; all of a ring are a ring, fewer are a line. Links of the part are those of the network, so parts without a
// common node use no common link.
//
// Ranks are given by their nodes. If these are listed in row-major order, coordinates going up or down, rank i is node i of the
// part; else a rank map says which node it is, and coordinates go up.
//
// Cost: O(nodes * axes) in row-major order, else O(nodes * axes + nodes log nodes).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/rank_map.hpp"

namespace isotrope::network {

/// The part that the ranks with these nodes are. Nothing if the nodes are no box, if the network is no product, or if it lacks
/// more than the closing links of its open axes. @pre the nodes are of the network, different, and at least one
std::optional<MappedNetwork> part_of(const NamedNetwork& whole, std::span<const Node> nodes);

/// The axes of the whole network that the part of these nodes has, ascending: those along which they have several coordinates.
std::vector<std::uint32_t> axes_of_part(const Network& whole, std::span<const Node> nodes);

}  // namespace isotrope::network
