// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A pipeline of packets along several trees: packet p follows tree p mod k as the first packet of this tree did,
// floor(p / k) periods later.
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The rounds of `parts` >= 1 packets along `trees` >= 1 trees. In `first`, packet c < trees is the first packet of
/// tree c. @pre two hops of `first` whose rounds are equal modulo `period` >= 1 keep the port model together.
/// Cost: O(hops).
schedule::Rounds pipelined_rounds(const schedule::Rounds& first, std::uint32_t trees, std::uint64_t period,
                                  std::uint32_t parts);

}  // namespace isotrope::algorithm
