// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Multinode broadcast (allgather) on any network, all ports, k ports or one, full duplex.
//
// One rooted schedule from node 0, replicated to all origins. A replicated hop uses its port on every node, sends
// on it and receives on the opposite one, so a round may use each port once, and at most k ports:
//
//     informed before the round    node 0 --port g--> g        a round is a matching of ports g with nodes v
//                                  node u --port h--> u + h    that lack the part and have v - g informed
//
// Method: a round informs as many nodes as possible and, among such choices, the freshest nodes: those with the
// most neighbours that lack the part, because they open the most links for later rounds. The sets of nodes that
// can be matched with ports form a matroid, so one pass over the nodes, freshest first, with augmenting paths is
// enough. Links from informed nodes to others are listed by port and freshness; an augmenting path leads over the
// few ports. Ties are broken at random, from fixed seeds; a schedule that misses the lower bound is searched again,
// up to 60 times or to a limit of work, and the same call gives the same schedule. P parts are P nodes in one here:
// all start at the root and share the ports of a round.
//
// Claim: N (N-1) P transmissions, the least possible. The rounds are not proved least, but on all networks of the
// tests, except one chosen as a counterexample, they are the larger of ceil((N-1) P / k) and
// ceil(P / k) - 1 + diameter.
// Cost per search: O(N degree P), and O(degree^2) for a round in which ports compete.
// Source: Bertsekas et al. 1991, Section 2 (one rooted schedule, replicated); Varvarigos and Bertsekas 1992
// (isotropic tasks).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The schedule for `parts` >= 1 parts: one stage, copied, replicated to all origins.
/// @param most_links after so many links of items looked at, no further search begins
/// @pre `ports` is not half duplex, and nodes times parts stay below 2^32.
schedule::Schedule fresh_first_broadcast(const network::Network& network, std::uint32_t parts,
                                         schedule::PortModel ports, std::uint64_t most_links = UINT64_MAX);

}  // namespace isotrope::algorithm
