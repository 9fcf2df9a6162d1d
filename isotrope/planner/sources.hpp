// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the catalogue, one a paper.
#pragma once

#include <span>

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {

/// Bertsekas et al. 1991: optimal communication on hypercubes, all ports at once.
std::span<const Algorithm> bertsekas();

/// Ho and Johnsson 1986: broadcast and personalized communication from one node, along trees of hypercubes.
std::span<const Algorithm> ho_johnsson();

/// Chen, Shin and Kandlur 1990: C-wrapped hexagonal meshes.
std::span<const Algorithm> chen();

/// Varvarigos and Bertsekas 1992, and what goes with it: algorithms for every network of the library.
std::span<const Algorithm> abelian();

/// Few rounds of merged messages over all ports at once, on every network.
std::span<const Algorithm> combining();

/// What is left of any network after failures, without symmetry.
std::span<const Algorithm> surviving();

}  // namespace isotrope::planner
