// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Any graph, by its edges: a circulant graph on its nodes without the links that are no edges.
//
//     a path 0-1-2-3      circulant:4:1 with the edges 0-1, 1-2, 2-3: port 0 leads from v to v + 1, port 1 back
//     Petersen's graph    complete:10 with 15 of its 45 links
//
// Edges that are alike are links side by side, of a network whose links have the rate of the fastest (rates.hpp).
//
// Convention: port p of node v leads to v + generators[p] modulo N. If the edges have at most 8 different distances around
// the circle, the graph is taken from the circulant with these steps, else from the complete network.
#pragma once

#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::network {

/// The most nodes of a network that is given by its edges.
inline constexpr Node largest_edge_list_order = 16384;

/// The network of nodes 0 to order - 1 with these edges, in any order, each as often as its rate says. It lacks nothing if it
/// is the circulant itself.
/// @throws Error if a node is none, an edge is a loop or more than largest_rate edges are alike, the nodes are none or too many, or some node cannot
/// be reached from node 0.
NamedNetwork from_edges(Node order, std::vector<Edge> edges);

}  // namespace isotrope::network
