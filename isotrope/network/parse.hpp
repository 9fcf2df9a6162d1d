// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Network names, one grammar for the program, plan files and the environment:
//
//     hypercube:6              2^6 nodes
//     torus:4x4x8              any extents
//     ring:9                   torus of one extent
//     hexmesh:4                C-wrapped hexagonal mesh of size 4, 37 nodes
//     twisted-torus:4x4x8      extents k and 2k; wrapping an extent k shifts by k along every extent 2k
//     twisted-torus:8,0/3,8    Z^2 modulo the lattice with basis rows (8,0) and (3,8)
//     circulant:13:1,5         Z_13 with generators +1, -1, +5, -5
//     complete:8               every two nodes joined
//     cayley:4x6:1,0/3,0/0,1/0,5   moduli, then one generator per port, closed under negation
#pragma once

#include <string_view>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The network called `name`.
/// @throws Error if the family is unknown (with the nearest names) or its parameters are out of range.
Network parse(std::string_view name);

}  // namespace isotrope::network
