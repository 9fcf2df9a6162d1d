// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of the balanced scatter (balanced_scatter.hpp) for one part.
#pragma once

#include <bit>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {

/// The parents[t] of every node t, relative to the root; parents[0] = 0.
inline std::vector<network::Node> balanced_tree(std::uint32_t dimension) {
  std::vector<network::Node> parents(std::size_t{1} << dimension, 0);
  for_each_in_rotation_order(dimension, 1, [&](std::uint32_t t, std::uint32_t m, std::uint32_t) {
    // With the leading bit rotated to the bottom, the last bit of the path is the highest.
    const std::uint32_t upright = rotate_left(t, m == 0 ? 0 : dimension - m, dimension);
    parents[t] = rotate_left(upright ^ std::bit_floor(upright), m, dimension);
  });
  return parents;
}

}  // namespace isotrope::algorithm
