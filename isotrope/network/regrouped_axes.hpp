// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The same torus by other axes: a ring of 4 nodes is a square, the product of two axes of 2. So torus:4x4x4 is a hypercube, on
// which plans by axes divide otherwise.
//
//     ring:4    0 1 2 3    neighbours 0-1-2-3-0
//     square    0 1 3 2    the Gray code: c and c ^ (c >> 1)
//
// Method: every axis of 4 becomes two of 2; if there is none, axes of 2 become axes of 4, in pairs. Cost: O(N rank).
#pragma once

#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"
#include "isotrope/network/split_axes.hpp"

namespace isotrope::network {

struct RegroupedTorus {
  SplitTorus torus;
  std::vector<Node> numbers;  ///< the node of `torus` for every node of the given one
};

/// The torus by other axes; nothing if it has no axis of 4 nodes and no two of 2. @pre it is whole: split_torus() of nothing lacking
std::optional<RegroupedTorus> regrouped(const SplitTorus& torus);

}  // namespace isotrope::network
