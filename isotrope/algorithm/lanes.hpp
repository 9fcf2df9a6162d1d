// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a product whose last axis is complete, as that of several ranks a node (network/node_places.hpp): places of the same
// number in all nodes, which the links between nodes join.
//
//     torus:4x4xcomplete:3    node v has the places 3 v, 3 v + 1 and 3 v + 2; lane k, the places 3 v + k, is a torus:4x4
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/failures.hpp"

#include "isotrope/schedule/port_model.hpp"

namespace isotrope::algorithm {

/// Why the network is no product of lanes and a complete last axis of two places or more, all lanes alike; nothing if it is.
std::optional<std::string> lacks_lanes(const network::Network& network, const network::Failures& failed);

/// The places of a node. @pre lanes exist, here and below
std::uint32_t places_of_node(const network::Network& network);

/// By k, the ports that lead to the place k further in the same node, ascending; of 0 none.
std::vector<std::vector<network::Port>> ports_in_node(const network::Network& network);

/// The network of a lane.
struct Lane {
  network::Network network;          ///< its node v is place v R + k of lane k, for R places a node
  std::vector<network::Port> ports;  ///< by port of it, that of the product, ascending
};
Lane lane_of(const network::Network& network);

/// The port model on a network with some of a node's ports, `degree` of them: k ports of all are at most these.
schedule::PortModel ports_within(schedule::PortModel ports, network::Port degree);

/// What has failed of the network of the nodes, whose lanes all fail alike; numbers are those of lane_of().
network::Failures failures_of_nodes(const network::Network& network, const network::Failures& failed);

/// `failed` and the places of all lanes but `lane`: what is left is that lane, its places with their numbers in the product.
network::Failures only_lane(const network::Network& network, network::Failures failed, std::uint32_t lane);

}  // namespace isotrope::algorithm
