// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the nodes of a network are drawn, and which of its links are lines.
//
// A link is a line from place to place, or, where that would cross the drawing, two stubs that leave their
// nodes:
//
//   --0----1----2--      torus:2x3: 0 and 3 are joined by a line, 0 and 2 by stubs. The stub of node 0 points
//     |    |    |        to where node 2 would stand if the grid went on.
//   --3----4----5--
//
// Families, told by their generators (names tell only a circulant graph from the torus it may be):
//     ring                 a circle, clockwise from the top
//     tori                 rows and columns; a third axis, the shortest, goes to the back. Any pairs of ports
//                          +g, -g are axes, so that twisted tori are drawn as their boxes. A fourth and fifth
//                          axis lead to further such drawings, beside and below, by stubs.
//     hypercube, d <= 6    parallel projection: cubes in a cube, as many as it takes
//     hexagonal mesh       a hexagon around node 0, as hexmesh.hpp draws it
//     others               a circle with chords
//
// Cost: O(nodes * degree * diameter) for a hexagonal mesh, else O(nodes * degree).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/io/chart.hpp"

namespace isotrope::io {

/// Pixels.
inline constexpr double node_radius = 13, stub_length = 16;

/// What is drawn at most.
inline constexpr network::Node most_nodes_drawn = 1024;
inline constexpr std::uint64_t most_links_drawn = 8192;

struct NetworkLayout {
  /// One a node, in pixels, y downwards. No two are closer than two radii.
  std::vector<Point> places;
  /// One a directed link, number node * degree + port: nothing for a line, else the unit vector in
  /// which the stub leaves its node. A link is a stub both ways or neither.
  std::vector<std::optional<Point>> stubs;
};

/// @throws Error unless the network is small enough to draw: the limits above, and hypercubes of at most 6
/// dimensions.
void check_drawable(const network::Network& network);

/// @throws Error as check_drawable.
NetworkLayout layout_of(const network::Network& network);

}  // namespace isotrope::io
