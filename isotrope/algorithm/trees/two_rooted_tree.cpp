// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include <bit>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

// A bit of a node in the m-cube and the port of the n-cube that flips it, as 2 port + value; one exclusive or thus
// exchanges two of them.
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

// The ports from a node below the two roots to its children.
std::optional<std::array<Port, 2>> TwoRootedTree::child_ports(Node node, Node root) const {
  const Node r1 = (Node{1} << (dimension_ - 1)) - 2;
  const Node x = node ^ root ^ r1;
  const auto ones = static_cast<std::uint32_t>(std::countr_one(x >> 1));

  std::uint32_t m = dimension_;
  Bit high = bit_of(x, m - 1), low = bit_of(x, 0);
  // r1 of the m-cube would pass for c1, but was found as c1 or c2 of the (m+1)-cube.
  const auto is_c1_or_c2 = [&] { return m + value(high) <= ones + 3 && value(high) == value(low); };
  while (m > 2 && !is_c1_or_c2()) {
    --m;
    const Bit next = bit_of(x, m - 1);
    // For a copy only. A mask, because a branch would be mispredicted at every other level.
    const Bit exchange = (low ^ next ^ 1) & (0 - value(high));
    high = next ^ exchange;
    low ^= exchange;
  }

  if (m == 2) return std::nullopt;
  if (value(high) == 0) return std::array{m == 3 ? port(low) : m - 3, port(high)};
  return std::array{port(high), m == 3 ? 1 : m - 3};
}

NodeList TwoRootedTree::children(Node node, Node root) const {
  NodeList result;
  const auto add = [&](Port over) { result.push_back(node ^ Node{1} << over); };
  if (node == root) {
    add(dimension_ - 1);
    if (dimension_ > 1) add(dimension_ - 2);
  } else if (node == second_root(root)) {
    if (dimension_ > 1) add(0);
  } else if (const auto ports = child_ports(node, root)) {
    for (const Port child : *ports) add(child);
  }
  return result;
}

}  // namespace isotrope::algorithm
