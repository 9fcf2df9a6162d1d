// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/multiple_binomial_trees.hpp"

#include <bit>

#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

bool bit(Node c, std::uint32_t i) {
  return (c >> i & 1) != 0;
}

}  // namespace

// Rotated so that bit j is the lowest and bit j-1 the highest.
std::uint32_t MultipleBinomialTrees::first_one_below(Node c, std::uint32_t tree) const {
  const Node rotated = rotate_left(c, tree == 0 ? 0 : dimension_ - tree, dimension_);
  const auto highest = static_cast<std::uint32_t>(std::bit_width(rotated)) - 1;
  return (highest + tree) % dimension_;
}

std::uint32_t MultipleBinomialTrees::tree_of_link(Node c, std::uint32_t d) const {
  if (!bit(c, d)) return d;
  const Node above =
      rotate_left(c, dimension_ - 1 - d, dimension_);  // bit d+1 is now the lowest, d the highest
  return (static_cast<std::uint32_t>(std::countr_zero(above)) + d + 1) % dimension_;
}

std::uint32_t MultipleBinomialTrees::depth(Node c, std::uint32_t tree) const {
  return static_cast<std::uint32_t>(std::popcount(c)) + (bit(c, tree) ? 0 : 2);
}

std::optional<Node> MultipleBinomialTrees::parent(Node node, std::uint32_t tree, Node root) const {
  const Node c = node ^ root;
  if (c == 0) return std::nullopt;
  return node ^ Node { 1 } << (bit(c, tree) ? first_one_below(c, tree) : tree);
}

NodeList MultipleBinomialTrees::children(Node node, std::uint32_t tree, Node root) const {
  NodeList result;
  const Node c = node ^ root;
  if (c == 0) result.push_back(node ^ Node{1} << tree);
  if (!bit(c, tree)) return result;
  const std::uint32_t k = first_one_below(c, tree);
  for (std::uint32_t m = (k + 1) % dimension_; m != tree; m = (m + 1) % dimension_) {
    result.push_back(node ^ Node{1} << m);
  }
  if (k != tree) result.push_back(node ^ Node{1} << tree);
  return result;
}

std::uint32_t MultipleBinomialTrees::label(Node node, std::uint32_t tree, Node root) const {
  const Node c = node ^ root;
  if (!bit(c, tree)) return tree + dimension_;
  const std::uint32_t k = first_one_below(c, tree);
  return k >= tree ? k : k + dimension_;
}

}  // namespace isotrope::algorithm
