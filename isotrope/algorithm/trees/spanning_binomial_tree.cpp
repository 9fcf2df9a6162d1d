// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"

#include <bit>

namespace isotrope::algorithm {

using network::Node;

std::optional<Node> SpanningBinomialTree::parent(Node node, Node root) const {
  const Node relative = node ^ root;
  if (relative == 0) return std::nullopt;
  return node ^ std::bit_floor(relative);
}

NodeList SpanningBinomialTree::children(Node node, Node root) const {
  NodeList result;
  for (auto m = static_cast<std::uint32_t>(std::bit_width(node ^ root)); m < dimension_; ++m) {
    result.push_back(node ^ (Node{1} << m));
  }
  return result;
}

}  // namespace isotrope::algorithm
