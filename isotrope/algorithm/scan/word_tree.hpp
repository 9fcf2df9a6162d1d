// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Trees of words from node 0 to all nodes: a word is a list of ports, and its node is the sum of their generators. The
// parent of a node has the word without its last letter.
//
//     shortest_words    the first of the shortest words by an order of the ports, so its letters come in that order
//     mirrored          the nodes of the upper half (the first coordinate that is not its own negative beyond half of
//                       its modulus) have the words of their negatives, with opposite ports
//     rarest_last       the letters of the same words, but the rarest letter of a word is its last one: on diamonds of
//                       two kinds of letters, trunks branch halfway, so that both kinds have as many subtrees
//     subgroup_words    letters in the given order, each at most half as often as it takes to return to the subgroup
//                       that the later ones generate: axis after axis. Not the shortest words on every network
//
// Cost: O(N * degree).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

struct WordTree {
  std::vector<network::Node> nodes;   // by depth; node 0 is the first
  std::vector<network::Node> parent;  // by node; of node 0 itself
  std::vector<network::Port> port;    // the last letter, by node; not of node 0
  std::vector<std::uint32_t> depth;   // the length of the word, by node

  /// All nodes but node 0, by depth.
  std::span<const network::Node> words() const { return std::span(nodes).subspan(1); }
  std::uint32_t height() const { return depth[nodes.back()]; }
};

/// @pre in all of them `order` lists every port once.
WordTree shortest_words(const network::Network& network, std::span<const network::Port> order);
WordTree mirrored(const network::Network& network, const WordTree& tree);
/// Of equally rare letters the last one in `order`. @pre the words of `tree` are shortest ones
WordTree rarest_last(const network::Network& network, const WordTree& tree,
                     std::span<const network::Port> order);
WordTree subgroup_words(const network::Network& network, std::span<const network::Port> order);

}  // namespace isotrope::algorithm
