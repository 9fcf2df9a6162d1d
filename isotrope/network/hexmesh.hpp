// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The C-wrapped hexagonal mesh H_n: Z_p, p = 3n^2 - 3n + 1, with six generators (Chen, Shin, Kandlur 1990).
//
// Convention: ports +x, -x, +y, -y, +z, -z; +x = 1, +y = -(3n-2), +z = -(3n-1) modulo p, so that y = x + z.
// Seen from any node the others fill a hexagon of n nodes a side. Around node 0 of hexmesh:3, of 19 nodes:
//
//           3   4   5
//        10  11  12  13          +z   +y
//      17  18   0   1   2          \ /
//         6   7   8   9             o--- +x
//          14  15  16
//
// Method, distance in O(1): let a node lie at a x - b z, in row b (downwards). End to end, the rows 0, 1-n,
// 1, 2-n, ..., -1, n-1 are the addresses in order, so one division finds the row: from address -(n-1) on they
// fall into blocks of 3n-1, and block c holds row c, of 2n-1-c nodes, then row c+1-n, of n+c nodes (the last
// block row n-1 only). As y = x + z, a shortest path has max(|a|, |b|, |a+b|) hops.
//
// Facts: diameter n-1; 6j nodes at distance j; average distance (2n-1)/3.
// Source: M.-S. Chen, K. G. Shin, D. D. Kandlur, Addressing, routing, and broadcasting in hexagonal mesh
// multiprocessors, IEEE Trans. Computers 39(1), 1990, Sections II to IV (algorithm A1 solves the same problem
// by cases).
#pragma once

#include <array>
#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The largest size: 67,104,511 nodes.
inline constexpr std::uint32_t largest_hexmesh_size = 4730;

/// "hexmesh:n".
/// @throws Error unless the size is 2..4730.
Network hexmesh(std::uint32_t size);

/// The port of the next of the six directions +x, +y, +z, -x, -y, -z: as the paper draws them, with y and z
/// downwards, it lies 60 degrees clockwise.
/// @pre port < 6.
constexpr Port clockwise(Port port) {
  constexpr std::array<Port, 6> next{2, 3, 4, 5, 1, 0};
  return next[port];
}

}  // namespace isotrope::network
