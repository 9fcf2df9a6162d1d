// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank maps of a grid on a product of lines, rings and complete networks: every axis of the grid takes axes of the machine whose
// extents have its extent as their product, and lies along a Hamiltonian cycle or path of these.
//
//     grid 8x8 on torus:4x4x4        a ring of 4 is a square of 2x2, so the machine is a 6-cube; each ring of 8 lies in a 3-cube, as
//                                    the reflected Gray code does
//     grid 4x3, machine mesh:3x4     axes change places; a ring where the machine has a line is folded: dilation 2
//
// Claim: of the maps of this kind, one of least dilation, which is 1 or 2. Cost: O(ways to deal the axes out + N).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isotrope/network/rank_map.hpp"

namespace isotrope::graph {

/// An axis of a grid.
struct GridAxis {
  network::Coordinate extent = 1;
  bool is_periodic = true;
};

/// Ranks are numbered row-major, the last axis fastest. Nothing if the machine is no such product or its axes cannot be dealt
/// out. @pre as many ranks as nodes
std::optional<network::RankMap> embedding_by_axes(std::span<const GridAxis> grid,
                                                  const network::NamedNetwork& machine);

}  // namespace isotrope::graph
