// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Fewer rounds for a gossip over one port or half duplex, by simulated annealing (gossip.hpp, coset_annealing.hpp).
//
// Searches, each for one round fewer than the best gossip has, choose messages between the cosets of a subgroup: those
// of random subgroups of small index, and of the subgroup {0}, whose cosets are the nodes. Few cosets leave fewer
// gossips, but a search of them needs far fewer steps: on even tori over half duplex 4 to 8 cosets find the fewest
// rounds. All subgroups are tried for a short time, the better half for twice as long, and so on.
//
// Cost: about 144 ns for each of SearchLimits::links. Seeds are fixed.
#pragma once

#include "isotrope/algorithm/gossip/gossip.hpp"

namespace isotrope::algorithm {

/// The most nodes of a network for which a gossip is annealed, and for which each node may have messages of its own.
inline constexpr Node most_annealed_nodes = 1024, most_nodes_alone = 256;

/// `gossip`, or one of fewer rounds. @pre one port or half duplex, at most most_annealed_nodes nodes.
Gossip annealed_gossip(const Network& network, schedule::PortModel ports, Gossip gossip,
                       const SearchLimits& limits);

}  // namespace isotrope::algorithm
