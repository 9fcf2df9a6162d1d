// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/balanced_spanning_tree.hpp"

#include <bit>

#include "isotrope/algorithm/rotation_order.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

Node rotate_right(Node bits, std::uint32_t by, std::uint32_t dimension) {
  return rotate_left(bits, by == 0 ? 0 : dimension - by, dimension);
}

}  // namespace

std::uint32_t BalancedSpanningTree::base(Node c) const {
  std::uint32_t best = 0;
  Node least = c, rotated = c;
  for (std::uint32_t by = 1; by < dimension_; ++by) {
    rotated = rotate_right(rotated, 1, dimension_);
    if (rotated < least) {
      least = rotated;
      best = by;
    }
  }
  return best;
}

std::optional<Node> BalancedSpanningTree::parent(Node node, Node root) const {
  const Node c = node ^ root;
  if (c == 0) return std::nullopt;
  const std::uint32_t turn = base(c);
  return node ^ rotate_left(std::bit_floor(rotate_right(c, turn, dimension_)), turn, dimension_);
}

NodeList BalancedSpanningTree::children(Node node, Node root) const {
  NodeList result;
  const Node c = node ^ root;
  const std::uint32_t turn = base(c);
  const auto above = static_cast<std::uint32_t>(std::bit_width(rotate_right(c, turn, dimension_)));
  for (std::uint32_t m = above; m < dimension_; ++m) {
    const Node child = c ^ rotate_left(Node{1} << m, turn, dimension_);
    if (c == 0 || base(child) == turn) result.push_back(child ^ root);
  }
  return result;
}

}  // namespace isotrope::algorithm
