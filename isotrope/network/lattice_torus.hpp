// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Twisted tori of every shape: Z^r modulo a lattice, with the unit vectors and their negatives.
//
// Convention: the lattice is spanned by the rows of a basis, which say what displacements lead back. Ports
// are 1+, 1-, 2+, 2-, ..., one an axis where they coincide. Coordinates are those of the quotient
// (lattice_quotient.hpp), not of Z^r, and no name but "cayley" says them:
//
//     4 0    torus:4x4        2 2    twisted-torus:2x4        8 0    8 x 8, whose second wrap
//     0 4                     0 4                             3 8    shifts by 3 along the first
//
// Distances: breadth-first search.
// Source: C. Camarero, C. Martinez, R. Beivide, Lattice graphs for high-scale interconnection topologies,
// IEEE TPDS 26(9), 2015.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The torus Z^r modulo the rows of `basis`, an r x r matrix.
/// @throws Error where the basis has no quotient of at most 2^26 nodes (see lattice_quotient), or a unit
/// vector lies in the lattice or leads where another one or its negative does.
Network lattice_torus(const std::vector<std::vector<std::int64_t>>& basis);

}  // namespace isotrope::network
