// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose distances are found by breadth-first search, for want of a formula.
//
//     cayley           any Cayley graph of a finite abelian group, by its moduli and the coordinates of the generators
//     circulant        Z_m with steps s and -s (chordal ring, loop network): in circulant:13:1,5 node 0 is joined to
//                      1, 12, 5 and 8
//     lattice torus    a twisted torus of any shape: Z^r modulo a lattice, with the unit vectors and their negatives
//
// Convention: ports are +s1, -s1, +s2, -s2, ... for the steps, or the axes, in order; one port if s and -s coincide.
// A lattice is spanned by the rows of a basis: the displacements that lead back. The coordinates are those of the
// quotient (lattice_quotient.hpp), not of Z^r, and no name but "cayley" says them:
//
//     4 0    torus:4x4        2 2    twisted-torus:2x4        8 0    8 x 8, whose second wrap
//     0 4                     0 4                             3 8    shifts by 3 along the first
//
// Source: C. Camarero, C. Martinez, R. Beivide, Lattice graphs for high-scale interconnection topologies,
// IEEE TPDS 26(9), 2015.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The network "cayley" of Z_m1 x ... x Z_mr; one generator a port, one coordinate a modulus.
/// @throws Error if a coordinate is out of range, and as Group and Network do.
Network cayley(std::vector<Coordinate> moduli, const std::vector<std::vector<Coordinate>>& generators);

/// "circulant:m:s1,s2,...", the steps reduced modulo m.
/// @throws Error if the modulus is 0 or above 2^26, or a step is 0 modulo m or repeats another one or its
/// negative, or the steps and m have a common divisor.
Network circulant(Coordinate modulus, std::span<const Coordinate> steps);

/// The torus Z^r modulo the rows of `basis`, an r x r matrix.
/// @throws Error if the basis has no quotient of at most 2^26 nodes (see lattice_quotient), or a unit vector lies in
/// the lattice, or equals another one or its negative modulo the lattice.
Network lattice_torus(const std::vector<std::vector<std::int64_t>>& basis);

}  // namespace isotrope::network
