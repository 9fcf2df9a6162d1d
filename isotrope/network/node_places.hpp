// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several ranks in every node of a network: their places are the nodes of a product whose last axis is the memory of a node.
//
//     torus:4x4, 4 ranks a node      torus:4x4xcomplete:4      place 4 v + k is rank k of node v
//
// A link of the network has a lane for every k: a link between the ranks k of its two nodes. Links along the last axis are
// messages inside a node. What has failed of the network has failed in all lanes.
//
// Links of a network file that are not alike along their axis, of unlike rates or with times of their own, are listed: a machine
// has one time for an axis and another for the memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/rank_map.hpp"

namespace isotrope::network {

/// The network of the places of `ranks_per_node` >= 1 ranks in each of `nodes`; `nodes` itself if it is 1.
/// @throws Error if it has more nodes, ports or links than a network may have.
NamedNetwork network_of_places(const NamedNetwork& nodes, std::uint32_t ranks_per_node);

/// The links of the places, ascending, if `nodes` has only its listed edges: their lanes, and those between all places of a node.
std::vector<Edge> edges_of_places(const NamedNetwork& nodes, std::uint32_t ranks_per_node);

/// The places of ranks from their nodes, by rank: in each node in the order of ranks.
///
///     nodes 1 0 1 0, 2 ranks a node      places 2 0 3 1
///
/// @throws Error unless every node from 0 to nodes.size() / ranks_per_node - 1 is given ranks_per_node times.
RankMap places_of_ranks(std::span<const Node> nodes, std::uint32_t ranks_per_node);

/// The hosts of a job as nodes.
struct HostNodes {
  std::vector<Node> nodes;           ///< by rank
  std::vector<std::uint32_t> ranks;  ///< by node, how many

  /// The number of ranks that every host has; 0 if hosts have unlike numbers.
  std::uint32_t ranks_per_node() const;
};

/// Numbers hosts in the order of their lowest ranks. @param hosts by rank, any numbers, equal on one host
HostNodes nodes_of_hosts(std::span<const std::uint32_t> hosts);

}  // namespace isotrope::network
