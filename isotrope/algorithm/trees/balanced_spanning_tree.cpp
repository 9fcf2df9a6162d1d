// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"

#include <algorithm>
#include <bit>

#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

Node rotate_right(Node bits, std::uint32_t by, std::uint32_t dimension) {
  return rotate_left(bits, by == 0 ? 0 : dimension - by, dimension);
}

std::uint32_t longest_run_of_ones(Node bits) {
  std::uint32_t length = 0;
  for (; bits != 0; bits &= bits >> 1) ++length;
  return length;
}

}  // namespace

// Bit t of `least` stands for the right rotation by t. Of that rotation, bit `shift` is bit shift + t of c
// written twice.
std::uint32_t BalancedSpanningTree::base(Node c) const {
  const std::uint64_t zeros = ~(c | std::uint64_t{c} << dimension_);
  Node least = (Node{1} << dimension_) - 1;
  for (std::uint32_t shift = dimension_; shift-- > 0 && (least & (least - 1)) != 0;) {
    const Node less = least & static_cast<Node>(zeros >> shift);
    if (less != 0) least = less;
  }
  return static_cast<std::uint32_t>(std::countr_zero(least));
}

NodeList BalancedSpanningTree::children(Node node, Node root) const {
  NodeList result;
  const Node c = node ^ root;
  if (c == 0) {
    for (std::uint32_t port = 0; port < dimension_; ++port) result.push_back(node ^ Node{1} << port);
    return result;
  }
  const std::uint32_t turn = base(c);
  const Node w = rotate_right(c, turn, dimension_);
  const auto first = static_cast<std::uint32_t>(std::bit_width(w));
  const std::uint32_t others = longest_run_of_ones(w ^ ((Node{1} << first) - 1));
  for (std::uint32_t m = first; m < dimension_; ++m) {
    const std::uint32_t above = dimension_ - 1 - m;
    const std::uint32_t longest = std::max(m - first, others);
    if (above < longest) break;
    const Node bit = rotate_left(Node{1} << m, turn, dimension_);
    if (above > longest || base(c | bit) == turn) result.push_back(node ^ bit);
  }
  return result;
}

}  // namespace isotrope::algorithm
