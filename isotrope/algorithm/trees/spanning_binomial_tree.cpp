// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"

#include <bit>

namespace isotrope::algorithm {

using network::Node;

NodeList SpanningBinomialTree::children(Node node, Node root) const {
  NodeList result;
  for (auto m = static_cast<std::uint32_t>(std::bit_width(node ^ root)); m < dimension_; ++m) {
    result.push_back(node ^ (Node{1} << m));
  }
  return result;
}

}  // namespace isotrope::algorithm
