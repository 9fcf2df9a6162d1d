// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets over the busiest link, round by round: the cost of an aggregated round.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

/// The most packets on one directed link in every round, stage after stage. Cost: O(hops log hops).
std::vector<std::uint64_t> link_loads(const network::Network& network, const Schedule& schedule);

}  // namespace isotrope::schedule
