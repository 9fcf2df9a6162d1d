// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The Hamiltonian path of a hypercube along the reflected Gray code, as a spanning tree of height 2^n - 1.
//
//     n = 3    0 -> 1 -> 3 -> 2 -> 6 -> 7 -> 5 -> 4      (relative addresses; position i holds i ^ (i >> 1))
//
// Cost: O(log n) per call, nothing stored. Source: Ho and Johnsson 1986, Section 3.4.
#pragma once

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

class HamiltonianPath {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit HamiltonianPath(std::uint32_t dimension) : dimension_(dimension) {}

  /// One node, or none at the end of the path.
  NodeList children(network::Node node, network::Node root) const;

 private:
  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
