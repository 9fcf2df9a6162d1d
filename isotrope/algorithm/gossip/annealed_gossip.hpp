// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Fewer rounds for a gossip over one port or half duplex, by simulated annealing on small networks (gossip.hpp).
//
// A state is one matching of links per round, for one round fewer than the best gossip has; its energy is the number
// of pairs of a node and an origin that it does not know at the end. A step puts a random link in a random round,
// takes out those that share an end with it in a way that the port model forbids, and joins their free ends anew.
// At energy 0 a gossip is found, and the next search is for one round fewer.
//
// Cost of a step: O(rounds N^2 / 64). Seeds are fixed.
#pragma once

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

/// The most nodes of a network for which a gossip is annealed.
inline constexpr Node most_annealed_nodes = 256;

/// `gossip`, or one of fewer rounds. @pre one port or half duplex, at most most_annealed_nodes nodes.
Gossip annealed_gossip(const Network& network, schedule::PortModel ports, Gossip gossip,
                       const SearchLimits& limits);

}  // namespace isotrope::algorithm
