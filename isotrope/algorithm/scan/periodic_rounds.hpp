// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds for the messages of a scan that is repeated every `interval` rounds for further parts of the vector
// (repeated_parts.hpp): no link and no node has more to do in the rounds t, t + interval, t + 2 interval, ... together
// than in one round.
//
// Method: modulo scheduling. Messages go in the order of their earliest rounds, those with the longest chains ahead first,
// each in the first round in which its inputs have arrived and its link and nodes are free.
//
// Over all ports this succeeds if no link has more messages than the interval has rounds.
// Cost: O(messages * interval).
// Source: B. R. Rau, Iterative modulo scheduling, MICRO 1994, without its back-tracking.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/schedule/problem.hpp"

#include "isotrope/algorithm/scan/scan_messages.hpp"

namespace isotrope::algorithm {

/// The least interval that the busiest link and the busiest node allow.
std::uint64_t least_interval(const schedule::Problem& problem, const ScanMessages& messages);

/// The messages of every round, or nothing if a message finds no round. @pre interval > 0; all messages are needed
std::optional<std::vector<std::vector<MessageId>>> periodic_rounds(const schedule::Problem& problem,
                                                                   const ScanMessages& messages,
                                                                   std::uint64_t interval);

}  // namespace isotrope::algorithm
