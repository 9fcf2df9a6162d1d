// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gossip on a torus axis after axis: along every axis all its rings gossip at once (gossip.hpp).
//
//     even ring, full duplex    extent / 2 exchanges with alternating neighbours, the least: in round t node c
//                               exchanges with c + 1 if c + t is even, else with c - 1
//     other rings               the best gossip found on the ring
//
// Claim: on even tori the rounds are the diameter, the least over one port. Cost: O(N rounds), and the searches.
#pragma once

#include <optional>

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

/// Nothing if the network is no torus, or a single ring without a closed form. @pre one port or half duplex.
std::optional<Gossip> axis_gossip(const Network& network, schedule::PortModel ports,
                                  const SearchLimits& limits);

}  // namespace isotrope::algorithm
