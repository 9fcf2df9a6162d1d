// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A turn of the network: a linear map of the group that moves the ports round in one cycle.
//
//     network            turn                                            a cycle of ports
//     hypercube          the bits rotated                                all, in order of bits
//     torus p x ... x p  (x_1, ..., x_d) -> (-x_d, x_1, ..., x_(d-1))    1+, 2+, ..., d+, 1-, 2-, ..., d-
//     ring               x -> -x                                         +, -
//     hexmesh            by 60 degrees                                   +x, +y, +z, -x, -y, -z
//     circulant:13:1,5   x -> 5 x                                        +1, +5, -1, -5
//
// A turn keeps distances. So it moves a packet round an orbit of packets of equal distance, as many as there are
// ports or a divisor of that number.
//
// Method: tori as above, under any name; on a cyclic group a turn is a multiplication that maps the first
// generator to another one, so all of these are tried.
// Cost: O(N + degree^2). Source: Varvarigos and Bertsekas 1992, Sections 6 and 8, for hypercubes and tori of
// two axes.
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

struct PortCycle {
  std::vector<network::Port> ports;  ///< all; the turn maps each to the next, the last to the first
  std::vector<network::Node> image;  ///< of every node; image[0] is 0
};

/// A turn of a torus with equal extents or of a network with a cyclic group; nothing if none exists, and on other
/// networks.
std::optional<PortCycle> port_cycle(const network::Network& network);

}  // namespace isotrope::algorithm
