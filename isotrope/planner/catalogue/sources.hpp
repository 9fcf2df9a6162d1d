// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the catalogue.
#pragma once

#include "isotrope/planner/row.hpp"

namespace isotrope::planner {

/// Bertsekas et al. 1991: optimal communication on hypercubes, all ports at once.
Algorithms bertsekas();

/// Ho and Johnsson 1986: broadcast and personalized communication from one node, along trees of hypercubes.
Algorithms ho_johnsson();

/// Chen, Shin and Kandlur 1990: C-wrapped hexagonal meshes.
Algorithms chen();

/// Varvarigos and Bertsekas 1992, and related algorithms for every network of the library.
Algorithms abelian();

/// Few rounds of aggregated messages over all ports at once, on every network.
Algorithms aggregated();

/// Algorithms for the residue of any network after failures, without symmetry.
Algorithms residual();

/// Messages to nodes that are no neighbours, over an overlay that a cut-through machine carries.
Algorithms overlays();

}  // namespace isotrope::planner
