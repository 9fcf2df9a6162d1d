// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The torus (k-ary d-cube, mixed radix): Z_p1 x ... x Z_pd with the unit vectors and their negatives.
//
// Convention: nodes are row-major (the last coordinate fastest), as in MPI_Cart_create and NumPy. Ports are
// 1+, 1-, 2+, 2-, ...; an extent of 2 has one port (a single link), an extent of 1 none:
//
//     torus:3x4    0  1  2  3        node 5 = (1,1)
//                  4  5  6  7        port 0 (1+) -> 9    port 1 (1-) -> 1
//                  8  9 10 11        port 2 (2+) -> 6    port 3 (2-) -> 4
//
// Distance: the sum over the axes of min(x, p-x). How many nodes are at which distance is the convolution of
// the counts of the axes, so it costs no enumeration.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// "torus:AxBx...".
/// @throws Error if no extent is given, one is 0, or there are more than 2^26 nodes.
Network torus(std::vector<Coordinate> extents);

/// "ring:n", the torus of one extent.
/// @throws Error as torus.
Network ring(Coordinate nodes);

}  // namespace isotrope::network
