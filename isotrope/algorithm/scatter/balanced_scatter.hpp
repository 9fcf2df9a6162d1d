// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Single node scatter on a hypercube in the least time with the fewest transmissions, all ports.
//
// The perfectly balanced shortest-path tree: node t with leading bit m (rotation_order.hpp) hangs in the subtree
// of port m, and its path takes the one bits of t upwards from bit m, cyclically:
//
//     d = 4, t = 1011, m = 3:    0 --3--> 1000 --0--> 1001 --1--> 1011
//
// The leading bits run through the ports in turn, so the subtrees differ by at most one in size. The root sends
// into each subtree without pause, farthest nodes first, and no packet ever waits on its way: on the link from x
// over bit b, the first one bit of x cyclically above b is the leading bit, so packets that share a link come from
// the same port of the root, one after the other. This holds for any choice of leading bits and makes P parts
// optimal too.
//
// Claims, for every d from 1 and P parts: ceil((2^d - 1) P / d) rounds, the degree bound, and d 2^(d-1) P
// transmissions, the least possible. Cost: O(hops). Source: Bertsekas et al. 1991, Section 3. For prime d and
// P = 1 the tree is the balanced spanning tree of Ho and Johnsson 1986.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule from `root` for 2^dimension nodes (1..26) and `parts` >= 1 parts: one stage, moved, not
/// replicated.
schedule::Schedule balanced_scatter(std::uint32_t dimension, network::Node root, std::uint32_t parts);

}  // namespace isotrope::algorithm
