// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gossip in which all nodes of a class send over the same ports (gossip.hpp). Classes are the cosets of a subgroup of
// index 1 or 2: the kernel of the parity of some coordinates of even modulus.
//
// What a node v of class c knows is v + K_c, so a state of the search is one or two sets K_c. A send of class s over
// generator g gives the receivers, of class s + parity(g), the set K_s - g.
//
//     full duplex    both classes send over generators of equal parity, so that every node receives once
//     half duplex    one class sends over a generator of odd parity, to the other
#pragma once

#include <optional>

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

/// Nothing if no such gossip is found: over half duplex on a network without coordinates of even modulus.
std::optional<Gossip> parity_gossip(const Network& network, schedule::PortModel ports,
                                    const SearchLimits& limits);

}  // namespace isotrope::algorithm
