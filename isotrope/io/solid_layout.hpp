// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The places of the nodes in space, and the courses of the links between them.
//
// By generators and open axes, as in network_layout.hpp:
//     ring                 a circle; a line if its axis is open
//     two axes             a doughnut if both close, a cylinder if one closes, else rows and columns
//     three axes           a box; links that close an axis leave one face and enter the opposite one, as stubs
//     more axes            boxes side by side; links between them are arcs
//     hypercube            a cube; the fourth dimension nests a cube in a cube; the next three put eight of
//                          these at the corners of a larger cube, and so on
//     hexagonal mesh       a hexagon in the plane; links that wrap around are arches behind it
//     others               a circle with chords; listed edges by forces (relaxed_layout.hpp), up to 512 nodes
// Nodes with coordinates stand at these.
//
// Convention: x to the right, y upwards, z to the viewer; neighbours are about 1 apart. Links side by side are arcs.
// Cost: O(nodes * degree * diameter) for a hexagonal mesh, O(nodes^2) for forces, else O(nodes * degree).
#pragma once

#include <array>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/io/network_file.hpp"

namespace isotrope::io {

using Place = std::array<double, 3>;

/// How a link runs from the place of its node to that of the other.
struct Course {
  enum class Kind {
    line,
    arc,  ///< from the middle of the line, `bend` leads to the control point of a quadratic curve
    stub  ///< leaves its node by `bend`, and enters the other one as much before it
  };
  Kind kind = Kind::line;
  Place bend{};

  bool operator==(const Course&) const = default;
};

struct SolidLayout {
  std::vector<Place> places;
  std::vector<Course> courses;  ///< by directed link, node * degree + port
};

SolidLayout solid_layout_of(const network::Network& network, const network::Failures& failed = {},
                            const Coordinates& coordinates = {});

}  // namespace isotrope::io
