// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cut bound on scatter and gather, over all sets of nodes at once.
//
//     a set without the root       takes in P packets for each of its nodes
//     a link into it, from a node  carries nothing in the first j rounds
//     at distance j from the root
//
// So T rounds need the sum of max(0, T - j) over the links into the set to be at least the packets, and the set that
// asks for the largest T is a smallest cut of a flow from the root.
//
//     line:3xring:3, root 3, P = 1    nodes 6, 7, 8 take in 3 packets over links from nodes at distances 0, 1, 1:
//                                     T + 2 (T - 1) >= 3, so T >= 2
//
// Method: Newton's. A smallest cut for T raises T to what this cut asks for, until the flow for T saturates. Cost: a
// few flows, of networks with up to 2^17 directed links.
#pragma once

#include <optional>

#include "isotrope/schedule/bound.hpp"

#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

/// The bound of kind "cut" by the best set; nothing on larger networks. @pre the traffic is one_to_each.
std::optional<schedule::Bound> scatter_cut_bound(const GraphView& view);

}  // namespace isotrope::bound
