// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The spanning binomial tree (SBT) of a hypercube.
//
// With c = node ^ root and k the highest one bit of c, the parent clears bit k and the children set one of the bits
// above k:
//
//     n = 3    0 -> 4, 2, 1     1 -> 5, 3     2 -> 6     3 -> 7        (relative addresses)
//
// Children come largest subtree first, which is lowest bit first: setting bit m leaves the bits above m to the
// subtree, so it has 2^(n-1-m) nodes. Height n. Cost: O(n) per call, nothing stored. Source: Ho and Johnsson 1986,
// Section 3.1.
#pragma once

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

class SpanningBinomialTree {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit SpanningBinomialTree(std::uint32_t dimension) : dimension_(dimension) {}

  /// Largest subtree first.
  NodeList children(network::Node node, network::Node root) const;

 private:
  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
