// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan by doubling, on networks of N nodes in a circle whose ports add all powers of two below N, such as
// complete graphs.
//
// In round i node c sends the sum of all that it has to node c + 2^i, if there is one. Before round i node c has the
// contributions c - 2^i + 1..c, as far as they exist:
//
//     N = 6    round 0    0->1  1->2  2->3  3->4  4->5
//              round 1    0->2  1->3  2->4  3->5
//              round 2    0->4  1->5
//
// ceil(log2 N) rounds of one message that a node sends and one that it receives: over one port no schedule takes fewer.
// Over k ports ceil(L / k) rounds later, L = ceil(log2 N), the next part begins. In aggregated rounds all parts go
// together. The schedule differs from node to node.
//
// Cost: O(N log N) per part. Source: W. D. Hillis and G. L. Steele, CACM 29(12), 1986.
#pragma once

#include <cstdint>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// Hops and results are listed for every node.
inline constexpr network::Node most_doubling_nodes = 1U << 14;

/// Whether the ports of the network add every power of two below N to the numbers of nodes.
bool adds_powers_of_two(const network::Network& network);

/// On `network`, which is the problem's or an overlay of as many nodes. @pre adds_powers_of_two(network), and ports are
/// not half duplex
schedule::Schedule doubling_scan(const schedule::Problem& problem, const network::Network& network);
std::uint64_t doubling_scan_rounds(const schedule::Problem& problem, const network::Network& network);

}  // namespace isotrope::algorithm
