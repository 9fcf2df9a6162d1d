// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of P packets on a hypercube over its multiple spanning binomial trees: packet x takes tree x mod n.
//
// One port, full duplex: the link with label f carries packet x of its tree in cycle f + n floor(x / n). In cycle
// t every link in use is of dimension t mod n, and a node receives over it from the one tree that owns the link.
// P + n rounds.
//
// Capped: the trees run on with further packets, all copies of the last packet, and stop as soon as every node has
// it: after cycle P + n - 2. A node that has the last packet gets no copy. P + n - 1 rounds, the distance bound:
// one round better than the paper, whose "strict lower bound" P + n does not hold.
//
// Half duplex: a cycle in which data cross the dimension both ways becomes two rounds, from 1 to 0 first; the
// first n cycles use only one way. 2P + n - 1 rounds, or 2P + n - 2 capped.
//
// All ports: the trees share no link, so each tree is a pipeline: ceil(P / n) + n rounds.
//
// Valid for every P >= 1 and n >= 1 (n = 1: the trees have height 1 and the counts are smaller). Cost: O(hops
// + rounds * N). Source: Ho and Johnsson 1986, Section 3.3.2; the capped form and n = 1 are additions.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The plain schedule for 2^dimension nodes (1..26), under all ports, one port or half duplex: one stage,
/// copied, not replicated.
schedule::Schedule msbt_broadcast(std::uint32_t dimension, network::Node root, std::uint32_t parts,
                                  schedule::PortModel ports);

/// The capped schedule, under one port or half duplex.
schedule::Schedule capped_msbt_broadcast(std::uint32_t dimension, network::Node root, std::uint32_t parts,
                                         schedule::PortModel ports);

/// The rounds of msbt_broadcast, or of capped_msbt_broadcast.
std::uint64_t msbt_broadcast_rounds(std::uint32_t dimension, std::uint32_t parts, schedule::PortModel ports,
                                    bool capped);

}  // namespace isotrope::algorithm
