// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/two_rooted_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

Node swap_bits(Node bits, std::uint32_t a, std::uint32_t b) {
  const Node differ = ((bits >> a) ^ (bits >> b)) & 1;
  return bits ^ (differ << a) ^ (differ << b);
}

}  // namespace

TwoRootedTree::TwoRootedTree(std::uint32_t dimension) : dimension_(dimension) {
  tops_[2] = {0, 2, 1, 3};
  for (std::uint32_t m = 2; m < dimension; ++m) {
    const Top& top = tops_[m];
    tops_[m + 1] = {top.r2, copied(m, top.r2), top.r1, copied(m, top.r1)};
  }
}

// ph: an exchange of bits 0 and m-1 about r2, which is its own inverse, and a step into the copy.
Node TwoRootedTree::copied(std::uint32_t m, Node node) const {
  const Node fixed = tops_[m].r2;
  return (fixed ^ swap_bits(node ^ fixed, 0, m - 1)) | Node{1} << m;
}

Node TwoRootedTree::original(std::uint32_t m, Node node) const {
  const Node fixed = tops_[m].r2;
  return fixed ^ swap_bits((node ^ Node{1} << m) ^ fixed, 0, m - 1);
}

std::array<TwoRootedTree::Edge, 7> TwoRootedTree::joints(std::uint32_t m) const {
  const Top& top = tops_[m];
  const Node r1_copy = copied(m, top.r1), r2_copy = copied(m, top.r2);
  return {{{r2_copy, top.r2},
           {top.r1, top.r2},
           {r1_copy, r2_copy},
           {top.c1, top.r1},
           {copied(m, top.c2), top.r1},
           {top.c2, r1_copy},
           {copied(m, top.c1), r1_copy}}};
}

// The parent in the tree of the m-cube whose root is tops_[m].r1; `node` is not that root.
Node TwoRootedTree::parent_in(std::uint32_t m, Node node) const {
  if (m == 2) return node == 3 ? 2 : 0;
  for (const Edge& edge : joints(m - 1)) {
    if (edge.child == node) return edge.parent;
  }
  const bool in_copy = (node >> (m - 1) & 1) != 0;
  if (!in_copy) return parent_in(m - 1, node);
  return copied(m - 1, parent_in(m - 1, original(m - 1, node)));
}

NodeList TwoRootedTree::children_in(std::uint32_t m, Node node) const {
  NodeList result;
  if (m == 2) {
    if (node == 0) result.push_back(2);
    if (node == 0) result.push_back(1);
    if (node == 2) result.push_back(3);
    return result;
  }
  for (const Edge& edge : joints(m - 1)) {
    if (edge.parent == node) result.push_back(edge.child);
  }
  const bool in_copy = (node >> (m - 1) & 1) != 0;
  for (Node child : children_in(m - 1, in_copy ? original(m - 1, node) : node)) {
    if (!tops_[m - 1].contains(child)) result.push_back(in_copy ? copied(m - 1, child) : child);
  }
  return result;
}

std::optional<Node> TwoRootedTree::parent(Node node, Node root) const {
  if (node == root) return std::nullopt;
  if (dimension_ == 1) return root;
  const Node shift = tops_[dimension_].r1 ^ root;
  return parent_in(dimension_, node ^ shift) ^ shift;
}

NodeList TwoRootedTree::children(Node node, Node root) const {
  NodeList result;
  if (dimension_ == 1) {
    if (node == root) result.push_back(root ^ 1);
    return result;
  }
  const Node shift = tops_[dimension_].r1 ^ root;
  for (Node child : children_in(dimension_, node ^ shift)) result.push_back(child ^ shift);
  return result;
}

}  // namespace isotrope::algorithm
