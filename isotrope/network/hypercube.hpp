// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The hypercube Q_d: Z_2^d with the unit vectors.
//
// Convention: bit j of a node's number is coordinate j, and port j flips bit j. The last modulus is bit 0:
//
//     node 5 of hypercube:3 = 101     port 0 -> 100     port 1 -> 111     port 2 -> 001
//
// Distance: the number of 1 bits; C(d, j) nodes are at distance j.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

inline constexpr std::uint32_t largest_hypercube_dimension = 26;

/// "hypercube:d".
/// @throws Error unless the dimension is 1..26.
Network hypercube(std::uint32_t dimension);

}  // namespace isotrope::network
