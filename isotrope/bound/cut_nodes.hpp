// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes without which a network falls apart, and what they must pass on.
//
//     line:5    without node 2: sides {0, 1} and {3, 4}    without node 1: sides {0} and {2, 3, 4}
//
// All that a side learns of the others comes from the node. So for every packet of an allreduce the node sends a message into each of k
// sides, k B messages of B packets; in an allgather it sends a side of n nodes the (N - n) P packets of all others.
// Under half duplex it also receives as much as: k B, and (N - 1) P. The ports of the node say how many rounds that takes.
//
// In an allreduce rounds pass before the first of these messages, and after the last. Let a side be d hops deep, and the others e: what the
// node at the end of the others adds is with the cut node after e rounds, and from there d - 1 rounds more behind the cut node's
// message into the side. With the least d and e of all sides that makes d + e - 1 rounds in which none of the messages moves.
//
//     line:5, one port    node 2: 2 messages for each of 5 packets, and 2 + 2 - 1 rounds: 13
//
// An allgather backwards and then forwards, a reduce-scatter and an allgather, is an allreduce of N P packets, so each of the two
// takes half of its rounds at least: 7 on line:5.
//
// Method: depth-first search, J. Hopcroft and R. Tarjan 1973; the depths of the few nodes with the most to send and the most even
// sides. Cost: O(links).
#pragma once

#include <optional>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the busiest such node; nothing if there is none. @pre something has failed or axes are open; the
/// traffic is all_to_all or reduced
std::optional<Bound> cut_nodes_bound(const GraphView& view);

}  // namespace isotrope::bound
