// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The twisted torus of extents k and 2k: a box whose wrap along an extent k shifts by k along every extent
// 2k. With k x k x 2k it is the face-centred, with k x 2k x 2k the body-centred cubic torus; k x 2k is the
// rectangular twisted torus.
//
// Convention: ports 1+, 1-, 2+, 2-, ..., one per axis if they coincide (k = 1). The box is drawn for 2 x 4;
// a step down from (1, z) enters row 0 at z + 2:
//
//     (0,0) (0,1) (0,2) (0,3)
//     (1,0) (1,1) (1,2) (1,3)
//     (0,2) (0,3) (0,0) (0,1)
//
// The group has the extents as moduli, row-major. The node at box position x has the coordinates
//
//     x_s             on a short axis s, of extent k
//     x_l - sum x_s   on a long axis l, of extent 2k; the sum is over all short axes
//
// so that the step + along a short axis adds 1 to its own coordinate and -1 to every long one: after k of
// them the short coordinate is back and the long ones have moved by k, which is the shift.
//
// Method, distance in O(axes): along a short axis a path goes x_s up or k - x_s down, and the latter crosses
// the wrap. The shift by k is its own inverse, so only the parity of the crossings matters: a minimum over
// two states. An odd number turns the distance w along a long axis into k - w.
//
// Sources: J. M. Camara et al., Twisted torus topologies for enhanced interconnection networks, IEEE TPDS
// 21(12), 2010; C. Camarero, C. Martinez, R. Beivide, Lattice graphs for high-scale interconnection
// topologies, IEEE TPDS 26(9), 2015; N. Jouppi et al., TPU v4, ISCA 2023.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// "twisted-torus:AxBx...".
/// @throws Error unless the extents are k and 2k with at least one of each, or if there are more than 2^26 nodes.
Network twisted_torus(std::vector<Coordinate> extents);

}  // namespace isotrope::network
