// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of the flow exchange (schedule.hpp): messages carry sums of the values that a node has.
//
//     gather_then_reduce    every message carries one value as it came; at the end a node adds all N. Half the rounds
//                           of a reduction and a broadcast. In a scan the node adds those of the nodes up to it
//     recursive_doubling    every message carries the sum of all values so far: log2 N messages of the whole vector
//
// Cost: O(hops listed).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

/// The values 0, 1, ..., `count` - 1 of a node: its own, and the first ones that it received.
std::vector<ValueId> first_values(std::uint64_t count);

/// The allreduce, barrier, scan or exscan by the allgather `schedule` on `network`, in `parts` parts: what it would
/// copy, it carries as values. @pre the schedule is a valid allgather of one stage.
Schedule gather_then_reduce(const network::Network& network, std::uint32_t parts, const Schedule& schedule);

/// The inverse: the allgather whose copies are the values of the exchange, or nothing if a message adds values up or
/// a node does not end with all of them. @pre a valid exchange of one stage, the same from every node.
std::optional<Schedule> gathered_copies(const network::Network& network, std::uint32_t parts,
                                        const Schedule& schedule);

/// Whether every message of the exchange carries the sum of all values that its sender has, so that a node needs
/// one running sum per part.
bool carries_running_sums(const Stage& stage, std::uint32_t parts);

/// The allreduce in which, in round t, every node sends the sum of all it has over port `ports[t]`.
/// @pre the offsets of these ports double what a node has: the contributions are disjoint, and all at the end.
Schedule recursive_doubling(PortModel model, const std::vector<Port>& ports);

}  // namespace isotrope::schedule
