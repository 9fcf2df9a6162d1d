// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any Cayley graph of a finite abelian group, by its moduli and the coordinates of its generators.
//
// Distances: breadth-first search.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The network "cayley" of Z_m1 x ... x Z_mr; one generator a port, one coordinate a modulus.
/// @throws Error where a coordinate is out of range, and as Group and Network do.
Network cayley(std::vector<Coordinate> moduli, const std::vector<std::vector<Coordinate>>& generators);

}  // namespace isotrope::network
