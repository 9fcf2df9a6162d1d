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
// follow each other, up or down; all of a ring are a ring, fewer are a line. Node i of the part is the i-th of the nodes, so
// these must be listed in row-major order. Links of the part are those of the network, so parts without a common node
// use no common link.
//
// Cost: O(nodes * axes).
#pragma once

#include <optional>
#include <span>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {

/// Nothing if the nodes are no box in this order, if the network is no product, or if it lacks more than the closing links
/// of its open axes. @pre the nodes are of the network, different, and at least one
std::optional<NamedNetwork> part_of(const NamedNetwork& whole, std::span<const Node> nodes);

}  // namespace isotrope::network
