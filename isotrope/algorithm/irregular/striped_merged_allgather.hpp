// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) for several ranks a node, around failures and on open axes: a block stays in its lane (lanes.hpp) until
// it is in every node.
//
//     rounds 0 .. h - 1      every lane by itself as merged_allgather.hpp: place k of node v has the blocks of the places k of all nodes
//     round h                in every node each place sends all of these to each other place
//
// Backwards, the places of a node share a vector first, and each lane adds its share.
//
// Claim: one round more than the farthest nodes are apart; a link between nodes carries a block once at most, whatever the
// number of lanes. Cost: as merged_allgather of the nodes, and the hops.
#pragma once

#include "isotrope/network/failures.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// As merged_allgather(). @pre lanes exist and fail alike, their survivors can reach each other; there are fewer than 2^32 packets
schedule::Schedule striped_merged_allgather(const network::Network& network, const network::Failures& failed,
                                            std::uint32_t parts);

}  // namespace isotrope::algorithm
