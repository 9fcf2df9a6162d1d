// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gossip: rounds of sends after which every node knows what every node knew, if each message tells all that its sender
// knows. One gossip serves all aggregated collectives in which every node has something for every node
// (gossip_schedules.hpp).
//
//     flood       all ports: every node tells all neighbours; diameter rounds
//     by parity   nodes fall into one class, or into two by the parity of some coordinates, and all nodes of a class
//                 send over the same ports. A beam search over the ports of each round, by how much becomes known.
//                 On even tori and hypercubes it finds exchanges axis after axis, on complete networks doubling
//     matched     every round a matching of links per port, those first by which most becomes known
//
// Method: the constructions in this order, until one meets the target; the fewest rounds win. Seeds are fixed.
// Claim: rounds at the bound on most networks, not proved to be the least. Cost: by parity O(rounds beam ports^2 N),
// matched O(rounds links N / 64) a construction, limited by SearchLimits::links.
// Sources: Even and Monien 1989, and Bruck et al. 1997, for complete networks; Bertsekas et al. 1991.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

inline constexpr Port no_port = UINT32_MAX;

/// A message over the port of a node.
struct Send {
  Node from;
  Port port;
};

struct Gossip {
  /// The sends of node 0 stand for those of every node.
  bool invariant = false;
  std::vector<std::vector<Send>> rounds = {};
};

/// The most nodes for which a gossip that is not invariant is searched.
inline constexpr Node most_gossiping_nodes = 2048;

/// A gossip under `ports`; empty rounds if there is one node, or if none was found: over half duplex on a network of
/// more than most_gossiping_nodes.
Gossip find_gossip(const Network& network, schedule::PortModel ports, const SearchLimits& limits);

}  // namespace isotrope::algorithm
