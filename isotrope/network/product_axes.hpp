// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A product of lines, rings and complete networks seen through its ports, whatever its name: every generator moves one
// coordinate, either by one step or, on a complete axis, by any number of steps.
//
//     line:4xring:5       axis 0: a line of 4, if axis 0 is open      axis 1: a ring of 5
//     torus:3x4           axis 0: complete, as a ring of 3 is         axis 1: a ring of 4
//     hypercube:2         two complete axes of 2
//     ring:5@3            a ring of 5 with three links side by side everywhere
//
// On such a network routes and distances are chosen axis by axis.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

enum class AxisShape {
  line,     ///< an open axis: no link between the last coordinate and 0
  ring,     ///< 4 nodes or more
  complete  ///< a link between every two coordinates
};

struct ProductAxis {
  std::uint32_t coordinate;  ///< of the group
  Coordinate extent;         ///< its modulus, 2 or more
  AxisShape shape;
  std::vector<Port> ports;  ///< by k = 1, ..., extent - 1, the first port that adds k, or no_port
  std::uint32_t rate = 1;   ///< so many ports add each of these k

  static constexpr Port no_port = UINT32_MAX;

  /// The hops between two coordinates.
  Coordinate distance(Coordinate from, Coordinate to) const;
  /// The largest distance.
  Coordinate diameter() const;
  /// The distances of all ordered pairs of coordinates together.
  std::uint64_t distance_sum() const;
};

/// The axes of two nodes or more by ascending coordinate, or nothing if the network with these open axes is no such
/// product, or links of one axis have different rates. Cost: O(degree rank), and O(1) per coordinate of every axis.
/// @pre the axes can be open (closing_links).
std::optional<std::vector<ProductAxis>> product_axes(const Network& network,
                                                     const std::vector<std::uint32_t>& open_axes);

}  // namespace isotrope::network
