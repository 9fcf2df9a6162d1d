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
// Method: depth-first search, J. Hopcroft and R. Tarjan 1973. Cost: O(links).
#pragma once

#include <optional>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the busiest such node; nothing if there is none. @pre something has failed or axes are open; the
/// traffic is all_to_all or reduced
std::optional<Bound> cut_nodes_bound(const GraphView& view);

}  // namespace isotrope::bound
