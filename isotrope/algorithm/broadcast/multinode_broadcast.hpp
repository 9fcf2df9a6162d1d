// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) on a hypercube in the least time, all ports.
//
// The nodes are taken in rotation order (rotation_order.hpp), d per round. Node t, reached in round floor(n / d),
// gets the packet over its leading bit m, that is from t with bit m cleared:
//
//     from = t ^ 2^m --port m--> t
//
// The d strings of a round have different leading bits, so every node uses every port at most once per round when
// the tree is translated to all origins; and t ^ 2^m always comes in an earlier round.
//
// Claims, for every d from 1 and P parts: ceil((2^d - 1) P / d) rounds, the degree bound, and 2^d (2^d - 1) P
// transmissions, the least possible. Cost: O(hops). Source: Bertsekas et al. 1991, Section 2; proved there
// for P = 1.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule for 2^dimension nodes (1..26) and `parts` >= 1 parts: one stage, copied, replicated to all
/// origins.
schedule::Schedule multinode_broadcast(std::uint32_t dimension, std::uint32_t parts);

}  // namespace isotrope::algorithm
