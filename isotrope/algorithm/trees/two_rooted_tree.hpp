// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The two-rooted complete binary tree (TCBT) as a spanning tree of a hypercube: two complete binary trees of
// 2^(n-1) - 1 nodes below two adjacent roots r1 and r2; r1 is the root and r2 its first child.
//
//     r1 --- r2      from the m-cube to the (m+1)-cube: a copy of the tree, moved by an isometry ph that
//     |      |       fixes r2 and brings r1 to c2, so that ph(c2) = r1 + 2^m and ph(r1) = c2 + 2^m. Cut r1,
//     c1     c2      r2, c1, c2 and their copies out of the two trees, and join them anew around r2 and
//    /  \   /  \     ph(r2), the next r1 and r2:
//
//     c1 <- r1 -> ph(c2)      r1 <- r2 -> ph(r2) -> ph(r1)      c2 <- ph(r1) -> ph(c1)
//
// ph exchanges bits 0 and m-1, complements both and sets bit m. The first tree, of the 2-cube, has r1 = 00, r2 = 10,
// c1 = 01 and c2 = 11. So the later ones have
//
//     r1 = 01..10     r2 = 11..10     c1 = 001..10     c2 = 11..11        (m bits, m > 2)
//
// A node other than the last two roots is c1 or c2 of just one cube, say the m-cube. There its edges are
//
//     c1    parent over bit m-2                             children over bits m-3 and m-1
//     c2    parent over bit m of the (m+1)-cube, or         children over bits m-1 and m-3
//           over bit 0 if m = n
//
// For m = 3 bit 0 (c1) or 1 (c2) stands for m-3, and for m = 2 there are no children. To find that cube, the copying
// is undone from the n-cube down, which changes only bit 0 and the highest bit. These two are carried along with the
// ports that flip them in the n-cube; the bits between are still those of the node.
//
// Height n; every node has at most two children. Cost: O(n) per call, nothing stored. Source: the tree is that of Ho
// and Johnsson 1986, Section 3.4; they cite embeddings, this one is constructed here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

class TwoRootedTree {
 public:
  /// @pre 1 <= dimension <= 26; nodes and roots are below 2^dimension.
  explicit TwoRootedTree(std::uint32_t dimension) : dimension_(dimension) {}

  /// At most two; the second root first.
  NodeList children(network::Node node, network::Node root) const;

 private:
  network::Node second_root(network::Node root) const { return root ^ network::Node{1} << (dimension_ - 1); }
  std::optional<std::array<network::Port, 2>> child_ports(network::Node node, network::Node root) const;

  std::uint32_t dimension_;
};

}  // namespace isotrope::algorithm
