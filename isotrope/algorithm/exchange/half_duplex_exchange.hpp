// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges in which every node sends the same, over half duplex: in a round a node sends or receives.
//
//     split     every round of a schedule over one port is a permutation of the nodes, whose cycles fall into two
//               matchings if their lengths are even: two rounds
//     listed    else packets wait at their nodes for the link of a shortest route, and every round is a matching of
//               nodes (link_matching.hpp): first the links whose ends have most left to do, on a link the packet with
//               the most hops to go. Searched with different noise
//
// Claim: split schedules take twice the rounds over one port, the bound for even N if the latter are at theirs; listed
// ones exceed the bound by a few per cent at most on the networks tried. All hops of all origins are listed.
// Cost: O(hops), and O(rounds (degree N + matching)) per search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// The exchange `task` of alltoall, neighborhood or isotropic, whose blocks go to `destinations` (relative to each
/// origin): one stage, moved, not replicated.
/// @pre fewer than 2^32 packets.
schedule::Schedule half_duplex_exchange(const network::Network& network, const schedule::Task& task,
                                        std::span<const schedule::RelativeDestination> destinations,
                                        const SearchLimits& limits);

/// `one_port`, a schedule of `task` of one stage over one port, with every round in two; nothing if a cycle of a
/// round is odd.
std::optional<schedule::Schedule> split_rounds(const network::Network& network, const schedule::Task& task,
                                               const schedule::Schedule& one_port);

}  // namespace isotrope::algorithm
