// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The multiple spanning binomial trees (MSBT) of a hypercube: n spanning trees with one root that share no
// directed link.
//
// With c = node ^ root, tree j reaches every node as follows; k is the first one bit of c at j-1, j-2, ..., j
// cyclically:
//
//     c_j = 0    from c with bit j set              (a leaf)
//     c_j = 1    from c with bit k cleared          (internal; from the root if k = j is the only one bit)
//
// So a node with c_j = 1 passes the packet on over the zero bits just above k, cyclically up to j-1, and over
// bit j if k is another bit. Every node but the root has its n incoming links in n different trees: link
// (c ^ 2^d -> c) belongs to the tree of bit d if c_d = 0, and else of the next one bit of c above d,
// cyclically. Height n + 1 (1 for n = 1).
//
// Labels f number the cycles of a broadcast with one packet per tree, one send and one receive per node at a
// time: the input of a node comes later than the input of its parent, and labels are distinct modulo n at every
// node. f is the dimension of the link, plus n if c_j = 0 or k < j. Cost: O(1) per call. Source: Ho and
// Johnsson 1986, Sections 3.2 and 3.3.2.
#pragma once

#include <bit>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {

/// The tree that reaches the node of relative address c != 0 over dimension d of `dimension`, 1..26.
inline std::uint32_t msbt_of_link(std::uint32_t dimension, network::Node c, std::uint32_t d) {
  if ((c >> d & 1) == 0) return d;
  const network::Node above = rotate_left(c, dimension - 1 - d, dimension);  // bit d+1 lowest, bit d highest
  return (static_cast<std::uint32_t>(std::countr_zero(above)) + d + 1) % dimension;
}

/// The depth in `tree` of the node of relative address c != 0.
inline std::uint32_t msbt_depth(network::Node c, std::uint32_t tree) {
  return static_cast<std::uint32_t>(std::popcount(c)) + ((c >> tree & 1) != 0 ? 0 : 2);
}

}  // namespace isotrope::algorithm
