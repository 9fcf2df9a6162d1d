// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The balanced spanning tree (BST) of a hypercube.
//
// With c = node ^ root, the base of c is the least number of right rotations that bring c to its least rotation.
// Node c != 0 hangs in the subtree of port base(c); its parent clears the highest one bit of that least rotation,
// rotated back:
//
//     n = 5, c = 01010:   one right rotation gives 00101, the least; base 1; 00001 rotated back is 00010
//
// Children set a bit above that one and keep the base. Subtree sizes are the numbers of necklaces, largest for port
// 0: all but equal, and equal (11..1 aside) for prime n, where the tree is the balanced tree of Bertsekas et al.
// Cyclic nodes are leaves. Height n.
//
// base: compares all n rotations at once, from the highest bit down. A word holds one bit per rotation; if any of
// the remaining rotations has a 0 next, those with a 1 drop out. A random c is decided after O(log n) bits.
//
// children: the least rotation w of c != 0 ends in a 1, so a bit m above its highest one cuts its leading zeros in
// two and leaves the other runs of zeros, cyclically read, as they are:
//
//     w = 0000000 1..1      w + 2^m = 0000 1 00 1..1
//                                    above  below
//
// The least rotation begins with a longest run of zeros, and if only one run has that length no other rotation is as
// small. So the base is kept if `above` exceeds `below` and all other runs, and lost if one of them exceeds `above`.
// With rising m `above` falls and `below` grows: they tie for the longest at one m at most, and only there the
// child's base is computed.
//
// Cost: O(n) for base and children, nothing stored. Source: Ho and Johnsson 1986, Section 4.1 and
// Table 5; the example base(011010) printed there as 3 is 1.
#pragma once

#include <cstdint>

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

class BalancedSpanningTree {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit BalancedSpanningTree(std::uint32_t dimension) : dimension_(dimension) {}

  /// The base of the relative address c: its subtree if c is not 0.
  std::uint32_t base(network::Node c) const;
  /// In order of the bit set, cyclically upwards from the base; those of the root by port.
  NodeList children(network::Node node, network::Node root) const;

 private:
  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
