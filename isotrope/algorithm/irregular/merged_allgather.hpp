// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) over all ports in messages of any number of packets, on any network: every node
// broadcasts along a tree of shortest paths (surviving_tree.hpp), all at once.
//
// Claim: as many rounds as the farthest survivors are apart, the least; (N-1) transmissions per packet.
// Cost: O(N links), and the hops.
#pragma once

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// `parts` >= 1 packets from every survivor to all others: one stage, copied, packets listed by ascending origin.
/// @pre survivors can reach each other; there are fewer than 2^32 packets.
schedule::Schedule merged_allgather(const network::SurvivingNetwork& network, std::uint32_t parts);

}  // namespace isotrope::algorithm
