// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus seen through its ports, whatever its name: every generator is a unit vector or the negative of one.
//
//     torus:3x1x2    axis 0, extent 3: ports 0 and 1         hypercube:2    axis 0, extent 2: port 1
//                    axis 2, extent 2: port 2, its own opposite             axis 1, extent 2: port 0
//
// On such a network routes and distances are chosen axis by axis.
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

struct TorusAxis {
  std::uint32_t coordinate;  ///< of the group
  Coordinate extent;         ///< its modulus, 2 or more
  Port forward;              ///< the port that adds 1
  Port backward;             ///< the port that subtracts 1; the same if the extent is 2
};

/// The axes by ascending coordinate, or nothing if a generator is no unit vector. Cost: O(degree + rank)
/// comparisons per axis.
std::optional<std::vector<TorusAxis>> torus_axes(const Network& network);

}  // namespace isotrope::network
