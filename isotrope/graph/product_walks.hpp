// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Hamiltonian paths and cycles of products of lines and rings.
//
//     path      the first axis there and back in turn, along the next axis, and so on
//     cycle     from the cycle of a ring, extended by the other axes (grid_cycle.hpp); or, of lines only, one of them even:
//               the even axis back along the end of the others, and these there and back in turn
//
//     2 x 3, lines     0 1 2       (path 0 1 2 5 4 3; cycle, with the axis of 2 as rows, the first column being the way back)
//                      3 4 5
//
// Claim: every such product has a path. It has a cycle if it has a ring of 3 or more, or two axes one of which is even; no
// other has one, but of a single link (Itai, Papadimitriou and Szwarcfiter 1982 for lines). Cost: O(cells).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isotrope::graph {

/// An axis of a product; the number of a cell is the sum of its coordinates times their strides.
struct WalkedAxis {
  std::uint32_t extent = 2;  ///< 2 or more
  std::uint32_t stride = 1;
  bool is_closed = false;  ///< the last coordinate is next to 0
};

using Walk = std::vector<std::uint32_t>;  ///< cells, each next to the one before

/// From cell 0 on. Without axes, this cell.
Walk hamiltonian_path(std::span<const WalkedAxis> axes);
/// Of one cell or one link, the path. Nothing if there is no cycle.
std::optional<Walk> hamiltonian_cycle(std::span<const WalkedAxis> axes);

}  // namespace isotrope::graph
