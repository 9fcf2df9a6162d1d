// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Single node scatter on any network along balanced trees of shortest paths, all ports, k ports or one.
//
// The root sends part after part, each along its own tree (layered_tree.hpp). In every round it sends into the k
// subtrees with the most packets left, into each the packet with the farthest destination; no packet ever waits:
//
//     round         0    1    2    3
//     to depth 3   0-1  1-2  2-3              the links, by depth, that the packets for one subtree cross:
//     to depth 3        0-1  1-2  2-3         never two at once, and the last but i goes to depth i + 1 at
//     to depth 2             0-1  1-2         most, so all have arrived when the last to leave has
//     to depth 1                  0-1
//
// In the last round of a part every subtree in use gets its last packet, over one link, so free ports begin with
// the next part. In no other round do packets of two parts leave, so each part may have its own tree: the trees
// take turns in which subtrees are larger.
//
// Claims: shortest paths, so the fewest transmissions. One part takes max(L, ceil((N-1) / k)) rounds for a largest
// subtree of L nodes: the bound max(ceil((N-1) / k), diameter) on every network of the tests, except a few with
// ports so unlike that no shortest paths do better. P parts take ceil((N-1) P / k) rounds if the subtrees are even
// over all trees, as for 2 and 3 parts on those networks.
// Cost: O(hops + N P (degree + log degree)) and that of subtree_balance.hpp.
// Sources: Bertsekas et al. 1991, Section 3; Varvarigos and Bertsekas 1992.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule from `root` for `parts` >= 1 parts: one stage, moved, not replicated.
/// @pre `ports` is not half duplex, and nodes times parts stay below 2^32.
schedule::Schedule layered_scatter(const network::Network& network, network::Node root, std::uint32_t parts,
                                   schedule::PortModel ports);

}  // namespace isotrope::algorithm
