// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank maps as text: a line a rank, in the order of the ranks, with its node:
//
//     # rank 0 is node (1,0), which is node 4 of torus:4x4
//     1,0
//     (0, 3)
//     7
//
// A node is its number or its coordinates, one for every modulus of the network's group, as `isotrope network --node` prints
// them. Commas, blanks or tabs separate coordinates; parentheses or brackets may surround them; `#` begins a comment.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "isotrope/network/rank_map.hpp"

namespace isotrope::io {

/// @throws Error naming file and line unless every node of the network is given once
network::RankMap read_rank_map(const std::string& file, const network::Network& network);

/// The map that `text` describes, the content of a file. With several ranks a node, every node is given so often, and the map is that
/// to their places (network/node_places.hpp), in each node in the order of ranks. Nodes that have failed are given to none; the map is to the
/// numbers of those left (network/nodes_left.hpp).
/// @param name of the file, for errors  @param network of the nodes
network::RankMap parse_rank_map(const std::string& name, const std::string& text,
                                const network::Network& network, std::uint32_t ranks_per_node = 1,
                                std::span<const network::Node> failed = {});

/// The text of a file: a line a rank, coordinates if nodes have several.
std::string rank_map_text(const network::RankMap& map, const network::Network& network);

}  // namespace isotrope::io
