// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a network that have not failed, as a network of their own: that of a job, which has ranks on every node.
//
//     torus:4x4 without node 5      15 nodes with 28 listed links; node 6 is number 5, node 15 number 14
//
// Failed links are no links of it. Times of links stay theirs.
// Cost: O(links log links).
#pragma once

#include <span>
#include <vector>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {

/// @throws Error if the failures of the network cut some nodes that are left off from the others, or leave none.
void require_connected(const NamedNetwork& network);

/// The network of the nodes that are left, numbered in their order; `whole` itself if no node has failed.
/// @throws Error if no node is left, the failures cut some off, or too many are left for a network of listed links.
NamedNetwork network_left(const NamedNetwork& whole);

/// The numbers in network_left() of nodes of the whole network, some of which have failed.
/// @throws Error if one of `nodes` has failed.
std::vector<Node> numbers_left(std::span<const Node> nodes, std::span<const Node> failed);

}  // namespace isotrope::network
