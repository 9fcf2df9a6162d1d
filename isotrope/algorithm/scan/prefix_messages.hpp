// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages with which every node gathers the nodes before it along the translate of one tree of words.
//
// Node v gathers along the tree moved from 0 to v: node v + w sends to v + parent(w) the sum of the contributions from
// below it, but only those of the nodes before v. What is the same over the same link is one message:
//
//     ring:6, words of up to three +1 or two -1    link 3 to 4    {3, 2} for node 4, {3} for node 5
//                                                  link 0 to 5    {0, 1, 2} for node 5, {0, 1} for node 4
//
// Where numbers do not wrap around, trees of all nodes share their messages, one for each port and form of a subtree.
//
// Method: a set of contributors is known by the sum of random marks of its nodes, 64 bits each. Two sets of a link with
// equal sums would give a wrong schedule, which the checker refuses; with a million sets it happens once in 2^24 plans.
//
// Cost: O(N^2), and memory for the messages.
#pragma once

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/scan/scan_messages.hpp"
#include "isotrope/algorithm/scan/word_tree.hpp"

namespace isotrope::algorithm {

/// The messages of one part. Equal sets may come from unlike subtrees, of which one is needed.
ScanMessages prefix_messages(const network::Network& network, const WordTree& tree);

}  // namespace isotrope::algorithm
