// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whose packets count if a receiver takes what is rarest around it (locally_rarest.hpp, broadcast/rarest_first_broadcast.hpp):
// its neighbours, as it serves them next.
//
// Of links of unlike rates (network/rates.hpp) those faster than the slowest join nodes to islands. What comes to an island over
// a slow link is soon everywhere on it, so all of the receiver's island counts too: slow links into it then bring different
// packets.
//
//     line:5@1xring:5@3, allgather of two parts    13 rounds with neighbours alone, 10 with islands
//
// Cost: O(links log nodes).
#pragma once

#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::algorithm {

/// By node, those that count: its neighbours, as often as links lead to it, or with islands each once. Empty for failed nodes.
std::vector<std::vector<network::Node>> served_nodes(const network::SurvivingNetwork& network);

}  // namespace isotrope::algorithm
