// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The circulant graph (chordal ring, loop network): Z_m with steps s and -s.
//
// Convention: ports +s1, -s1, +s2, -s2, ...; a step with 2s = 0 modulo m has one port.
//
//     circulant:13:1,5     node 0 is joined to 1, 12, 5, 8
//
// Distances: breadth-first search.
#pragma once

#include <span>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// "circulant:m:s1,s2,...", the steps reduced modulo m.
/// @throws Error where the modulus is 0 or above 2^26, or a step is 0 modulo m or repeats another one or its
/// negative, or the steps and m have a common divisor.
Network circulant(Coordinate modulus, std::span<const Coordinate> steps);

}  // namespace isotrope::network
