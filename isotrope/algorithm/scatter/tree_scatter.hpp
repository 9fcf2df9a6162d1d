// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Single node scatter along a spanning tree, on any network and under any port model, packet by packet or in
// merged messages.
//
// The root takes the packets in a given order (part after part). In every round a node sends, over as many ports
// as the model allows, the packets that come first in that order among those it holds for different children; up to
// m - 1 more packets for the same child, in order, join each in one message (m = 1: strict rounds). Under half
// duplex the lower nodes choose first, so that packets that have left the root make room for the next. Packets
// keep their order on every link, so every choice is among the heads of queues.
//
// On a hypercube with N = 2^n nodes, one packet per destination:
//
//     tree        m          rounds under one port, half duplex      all ports
//     binomial    1          N - 1 (descending)                      N / 2
//     binomial    2^k        N / 2^k + k - 1 (postorder)
//     balanced    1          N - 1 (cyclic)                          its largest subtree (cyclic)
//     balanced    any        2n - 2 (cyclic-postorder)               n
//     two-rooted  any        2n - 2 (postorder)                      n
//
// The link loads of the last but one sum to 2N - 2n - 1 under the two-rooted tree.
// Cost: O(hops) and, for unusual port models, O(children) per message.
// Source: Ho and Johnsson 1986, Section 4.2 and Table 6. Claim: the numbers above, in the tests.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/root_order.hpp"
#include "isotrope/algorithm/trees/rooted_tree.hpp"

namespace isotrope::algorithm {

struct TreeScatter {
  std::uint32_t parts = 1;
  schedule::PortModel ports = {};
  RootOrder order = {};
  std::uint64_t merge = 1;  ///< m: the most packets in one message; above 1 rounds combine
};

/// One stage, moved, not replicated, with the packets that scatter implies.
schedule::Schedule tree_scatter(const network::Network& network, const RootedTree& tree,
                                const TreeScatter& options);

}  // namespace isotrope::algorithm
