// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Z^r modulo a lattice, as a product of cyclic groups.
//
// Method: the lattice contains D Z^r, where D = |determinant|, so everything may be reduced modulo D. Row
// operations keep the lattice, column operations V change the coordinates x into x V, and together they make
// the basis diagonal with d_1 | d_2 | ... | d_r (Smith normal form): the quotient is Z_d1 x ... x Z_dr, and
// unit vector i has row i of V as its coordinates.
//
//     rows (2,2), (0,4)    D = 8    ->    Z_2 x Z_4
//     rows (8,0), (3,8)    D = 64   ->    Z_64
//
// Cost: O(r^3 log D). The determinant is exact (Bareiss), in 128-bit arithmetic that refuses to overflow.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::network {

struct LatticeQuotient {
  /// Each modulus divides the next; moduli of 1 are left out, unless the quotient is trivial.
  Group group;
  /// The element of every unit vector of Z^r.
  std::vector<Node> unit_vectors;
};

/// Z^r modulo the lattice spanned by the rows of `basis`, an r x r matrix, r = 1..64.
/// @throws Error if the matrix is not square, its rows are dependent, its determinant exceeds 2^26 or its
/// entries are too large to tell.
LatticeQuotient lattice_quotient(const std::vector<std::vector<std::int64_t>>& basis);

}  // namespace isotrope::network
