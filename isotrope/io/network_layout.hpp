// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The places of the nodes in the picture of a network, and its links as lines or stubs.
//
// A link is a line from place to place, or two stubs at its nodes if the line would cross the drawing:
//
//   --0----1----2--      torus:2x3: 0 and 3 are joined by a line, 0 and 2 by stubs. The stub of node 0 points
//     |    |    |        to the place of node 2 in a continued grid.
//   --3----4----5--
//
// The generators tell the family (the name only tells a circulant graph from a torus):
//     ring                 a circle, clockwise from the top
//     tori                 rows and columns; a third axis, the shortest, goes to the back. Any pairs of ports
//                          +g, -g are axes, so that twisted tori are drawn as their boxes. A fourth and fifth
//                          axis lead to further such drawings, beside and below, by stubs.
//     hypercube, d <= 6    parallel projection: cubes in a cube, as many as it takes
//     hexagonal mesh       a hexagon around node 0, as hexmesh.hpp draws it
//     others               a circle with chords
// Nodes with coordinates stand at these, in parallel projection, with the nearest two a grid step apart.
//
// Links side by side (network/rates.hpp) have the places of one.
//
// Cost: O(nodes * degree * diameter) for a hexagonal mesh, else O(nodes * degree).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/io/chart.hpp"
#include "isotrope/io/network_file.hpp"

namespace isotrope::io {

/// Pixels.
inline constexpr double node_radius = 13, stub_length = 16;

/// The limits of a picture.
inline constexpr network::Node most_nodes_drawn = 1024;
inline constexpr std::uint64_t most_links_drawn = 8192;

struct NetworkLayout {
  /// A place per node, in pixels, y downwards. No two are closer than two radii.
  std::vector<Point> places;
  /// An entry per directed link, number node * degree + port: nothing for a line, else the unit vector in
  /// which the stub leaves its node. A link is a stub both ways or neither.
  std::vector<std::optional<Point>> stubs;
};

/// Why the network is too large to draw, by the limits above, and for hypercubes of more than 6 dimensions; else
/// nothing.
std::optional<std::string> undrawable_reason(const network::Network& network,
                                             const network::Failures& failed = {});

/// @throws Error with this reason.
void check_drawable(const network::Network& network, const network::Failures& failed = {});

/// The layout of the network. Listed edges without coordinates are chords of a circle; so are the links of nodes too
/// close to each other, of which the nearest would be less than a hundredth of the picture apart.
/// @throws Error as check_drawable.
NetworkLayout layout_of(const network::Network& network, const network::Failures& failed = {},
                        const Coordinates& coordinates = {});

}  // namespace isotrope::io
