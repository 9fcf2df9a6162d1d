// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Connectivity: the least number of nodes, or links, whose failure separates a network.
//
// Method, nodes: by Menger's theorem the least cut between two nodes is a maximum flow in the split graph,
// in which every node is an arc of capacity 1 from its entrance to its exit. One need not try all pairs:
//
//     common neighbour    every node of a least cut touches two of the parts that it separates, or it could
//                         be left out; so the cut separates two nodes at distance 2
//     translation         moves one of the two to node 0
//     v -> -v             is an automorphism, so t and -t give the same flow from node 0
//
// A complete network has no two nodes at distance 2; its connectivity is N-1 by convention, which is its
// degree, and the degree is an upper bound for all others.
//
// Links: a connected vertex-transitive graph has link connectivity equal to its degree (W. Mader, Minimale
// n-fach kantenzusammenhangende Graphen, Mathematische Annalen 191, 1971), so network.degree() is the answer if all
// links have one rate. Else a least cut may separate what fast links join: torus:4x4@1,8 has 18 ports, and 8 links leave
// a row. The smallest side of a cut below the degree is moved onto itself or away from itself by every translation (the
// proof of Mader's theorem), so with node 0 it is a subgroup H, spanned by the generators in it, and |H| times the ports
// that lead out of H are cut: all sets of generators are tried. Without symmetry some node is on the other side than
// the first one, so flows from that one to all others find the least cut.
//
// Without symmetry (A.-H. Esfahanian, S. L. Hakimi, On computing the connectivities of graphs and digraphs,
// Networks 14, 1984): a least cut that leaves out a node of least degree separates it from another one; a
// least cut with it separates two of its neighbours. All these pairs are tried.
//
// Cost: at most degree^2 / 4 flows of at most degree paths each, without symmetry N flows; 40 bytes a directed link.
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/network/network.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::graph {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

/// The most directed links of a network whose connectivity is computed.
inline constexpr std::uint64_t largest_connectivity_links = std::uint64_t{1} << 20;

/// The least number of nodes whose failure separates two others; by convention N-1 for a complete network.
/// @throws Error if the network has more than 2^20 directed links.
Port node_connectivity(const Network& network);

/// The same for survivors, 0 if they are separated already, and one less than their number if all are
/// neighbours. Cost: N flows. @throws Error as above.
Port node_connectivity(const SurvivingNetwork& network);

/// The least number of links whose failure separates two nodes, links side by side counted each; 0 for a single node.
/// Nothing if rates are unlike and ports lead more than 12 ways, opposite ones counted once. Cost: O(2^ways rank^3 ways).
std::optional<Port> link_connectivity(const Network& network);

/// The same of survivors; 0 if they are separated already. Cost: N flows. @throws Error as node_connectivity.
std::uint64_t link_connectivity(const SurvivingNetwork& network);

}  // namespace isotrope::graph
