// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A scan in the form of a plan: its messages by rounds become hops and sums of numbered values (schedule.hpp).
//
// Sums stand in the order of their parts. Equal sums of a part are written once.
//
// Cost: O(values of all sums, log of their number).
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/scan/scan_messages.hpp"

namespace isotrope::algorithm {

/// The stage in which `rounds` say when which messages go. @pre every input of a message goes in an earlier round
schedule::Stage written_scan(const network::Network& network, const ScanMessages& messages,
                             const std::vector<std::vector<MessageId>>& rounds);

}  // namespace isotrope::algorithm
