// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include <array>
#include <bit>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

// A bit of a node in the m-cube and the port of the n-cube that flips it, as 2 port + value: so one exclusive
// or exchanges two of them.
using Bit = std::uint32_t;

Bit bit_of(Node node, Port port) {
  return (2 * port) | (node >> port & 1);
}

Node value(Bit bit) {
  return bit & 1;
}

Port port(Bit bit) {
  return bit >> 1;
}

}  // namespace

// The ports of a node below the two roots.
struct TwoRootedTree::Edges {
  Port parent = 0;
  std::array<Port, 2> children = {};
  bool leaf = false;
};

TwoRootedTree::Edges TwoRootedTree::edges(Node node, Node root) const {
  const Node r1 = (Node{1} << (dimension_ - 1)) - 2;
  const Node x = node ^ root ^ r1;
  const auto ones = static_cast<std::uint32_t>(std::countr_one(x >> 1));

  std::uint32_t m = dimension_;
  Bit high = bit_of(x, m - 1), low = bit_of(x, 0), above = 0;
  // r1 of the m-cube would pass for c1, but was found as c1 or c2 of the (m+1)-cube.
  const auto is_c1_or_c2 = [&] { return m + value(high) <= ones + 3 && value(high) == value(low); };
  while (m > 2 && !is_c1_or_c2()) {
    --m;
    const Bit next = bit_of(x, m - 1);
    // Where it is a copy. A mask, because a branch would be mispredicted at every other level.
    const Bit exchange = (low ^ next ^ 1) & (0 - value(high));
    above = high;
    high = next ^ exchange;
    low ^= exchange;
  }

  const bool leaf = m == 2;
  if (value(high) == 0) return {leaf ? port(low) : m - 2, {{m == 3 ? port(low) : m - 3, port(high)}}, leaf};
  return {port(above), {{port(high), m == 3 ? 1 : m - 3}}, leaf};
}

std::optional<Node> TwoRootedTree::parent(Node node, Node root) const {
  if (node == root) return std::nullopt;
  if (node == second_root(root)) return root;
  return node ^ Node { 1 } << edges(node, root).parent;
}

NodeList TwoRootedTree::children(Node node, Node root) const {
  NodeList result;
  const auto add = [&](Port over) { result.push_back(node ^ Node{1} << over); };
  if (node == root) {
    add(dimension_ - 1);
    if (dimension_ > 1) add(dimension_ - 2);
  } else if (node == second_root(root)) {
    if (dimension_ > 1) add(0);
  } else if (const Edges found = edges(node, root); !found.leaf) {
    for (const Port child : found.children) add(child);
  }
  return result;
}

}  // namespace isotrope::algorithm
