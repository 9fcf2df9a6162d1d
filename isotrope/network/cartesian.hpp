// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The network of a Cartesian grid of ranks, as MPI_Cart_create makes it: the product of its axes, rings if they are periodic,
// else lines, numbered row-major. Rings of 2 or fewer ranks are lines too.
//
//     4x8, all periodic     torus:4x8          2x2x1           hypercube:2
//     axis 0 open           line:4xring:8
#pragma once

#include <span>
#include <vector>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {

/// @param periodic by axis. @throws Error if an extent is 0, or the ranks are too many for a network
NamedNetwork cartesian_network(std::span<const Coordinate> extents, const std::vector<bool>& periodic);

}  // namespace isotrope::network
