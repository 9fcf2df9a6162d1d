// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds for the messages of a scan: in every round each port sends, of the messages whose inputs have arrived, the one
// with the longest chain ahead. With limited ports the links with the longest chains come first. In aggregated rounds a
// port sends all that it has.
//
// Cost: O(messages * messages of a link), and O(links log links) a round with limited ports.
#pragma once

#include <vector>

#include "isotrope/schedule/problem.hpp"

#include "isotrope/algorithm/scan/scan_messages.hpp"

namespace isotrope::algorithm {

/// The messages of every round, without those that nobody needs. @pre ports are not half duplex
std::vector<std::vector<MessageId>> message_rounds(const schedule::Problem& problem,
                                                   const ScanMessages& messages);

}  // namespace isotrope::algorithm
