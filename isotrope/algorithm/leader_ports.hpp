// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How a schedule among the nodes becomes one among their leaders, a place of each node of a product of lanes (algorithm/lanes.hpp):
// the ports over which leaders send to each other and to the places of their nodes, of the product itself or of an overlay.
//
//     recursive doubling on ring:4, which sends to v + 2 and v + 1; 3 places a node    overlay: ports to v + 6, v + 3; v + 1, v + 2
//
// Cost: O(degree).
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// The ports over which the places of a product of lanes send (algorithm/lanes.hpp), of the product or of an overlay.
struct LeaderPorts {
  std::vector<network::Port> between;  ///< by port of the network over which leaders send
  std::vector<network::Port> within;   ///< by k, to the place k further in the same node; of 0 any
};

/// Those of `network`, a product of lanes, for leaders that send over the ports of `joined`, a network of the nodes that joins neighbours alone. Of links side
/// by side the one of the same number.
LeaderPorts ports_of_links(const network::Network& network, const network::Network& joined);

/// An overlay of `network`, a product of lanes: first the ports of `joined`, a network of the nodes of any group, in every lane, then one to each other place of
/// the node.
network::Network overlay_of_lanes(const network::Network& network, const network::Network& joined);
LeaderPorts ports_of_overlay(const network::Network& network, const network::Network& joined);

}  // namespace isotrope::algorithm
