// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The least number of steps of limited loads, and the least sum of their loads.
//
// A step in which no link carries more than l packets carries no more than l strict rounds do, as in bandwidth.hpp. So the
// bounds that count sends hold for the sum of the loads of all steps, call the largest of them W. With at most K packets of
// its own from a node and at most C on a link in a step, n packets of a node take
//
//     max(ceil(n / K), ceil(W / C)) steps
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isotrope/schedule/problem.hpp"

namespace isotrope::bound {

using schedule::Problem;

struct StepBound {
  std::uint64_t steps = 0;
  std::uint64_t sum_of_loads = 0;  ///< of the busiest links, a step each
  std::string because;             ///< the reason for the number of steps
};

/// The bounds for an exchange of alltoall, neighborhood or isotropic on an intact network; nothing for other problems, and for
/// those without limits of steps.
std::optional<StepBound> step_bound(const Problem& problem);

}  // namespace isotrope::bound
