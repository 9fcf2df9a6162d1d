// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as a box of positions, rows and columns and so on, as pictures draw it.
//
//     torus:2x3                 0 1 2       twisted-torus:4x8   4 rows of 8, as an untwisted one; some links that
//                               3 4 5                           close the rows and columns lead elsewhere
//
// Any pairs of ports +g, -g are axes. An axis extends as long as its hops lead to nodes that the later axes do not
// reach.
//
// Cost: O(nodes).
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::io {

/// The positions along one pair of ports, 0..extent-1.
struct PortAxis {
  network::Port forward = 0;
  network::Coordinate extent = 1;
};

/// Every node once, in row-major order of its positions.
struct PortBox {
  std::vector<PortAxis> axes;
  std::vector<network::Node> nodes;

  /// Places in `nodes` from a position to the next one along an axis.
  std::size_t stride(std::size_t axis) const;
};

/// The box over all pairs of ports, in port order or backwards; nothing if in both some axis has extent 1, and for
/// circulant and complete graphs, which are drawn by their chords (the name only tells a circulant graph from a torus).
/// @pre no two ports lead the same way.
std::optional<PortBox> box_of(const network::Network& network);

/// Whether the network is a hypercube by its generators; bit j of a node is then its coordinate j.
bool is_hypercube(const network::Network& network);

}  // namespace isotrope::io
