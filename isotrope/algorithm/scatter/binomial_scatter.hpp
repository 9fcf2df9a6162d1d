// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Single node scatter on a hypercube along its spanning binomial tree, one port at a time.
//
// The root sends one packet per round, to the relative addresses N-1, N-2, ..., 1 (descending order), part after
// part; a packet takes the one bits of its address from the lowest up and never waits. A node has one parent, so
// at most one packet arrives at it, and leaves it, per round. Half duplex works too: consecutive packets differ in
// the lowest bit, so no node is on the paths of two in a row before these part.
//
// Claim: (N - 1) P rounds, the degree bound, and d 2^(d-1) P transmissions, the least possible. Cost:
// O(hops). Source: Ho and Johnsson 1986, Section 4.2.1, packet by packet, descending root order.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule from `root` for 2^dimension nodes (1..26) and `parts` >= 1 parts, under one port or half
/// duplex: one stage, moved, not replicated.
schedule::Schedule binomial_scatter(std::uint32_t dimension, network::Node root, std::uint32_t parts,
                                    schedule::PortModel ports);

}  // namespace isotrope::algorithm
