// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A rank map made better by exchanging the nodes of two ranks, again and again.
//
// Method: simulated annealing. A step takes a link of the program that is longer than 1, and exchanges one of its ranks with
// the rank at a neighbour of the other's node. The cost is the sum of the fourth powers of the distances, so that the longest
// count most; worse maps are kept with a probability that falls from step to step. The seed is fixed.
//
// Cost: O(degree) a step.
#pragma once

#include <cstdint>

#include "isotrope/graph/dilation.hpp"

namespace isotrope::graph {

/// The best map that was met: no worse than `begin`.
network::RankMap exchanged_pairs(const network::SurvivingNetwork& program,
                                 const network::SurvivingNetwork& machine, const Distances& in_machine,
                                 const network::RankMap& begin, std::uint64_t steps);

}  // namespace isotrope::graph
