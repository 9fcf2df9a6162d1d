// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/run_ahead.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "isotrope/cost/ramp.hpp"

namespace isotrope::rank {

// The root sends a packet over a link in every round, so the first round of a part is its place in the
// pipeline.
void run_ahead(Program& program, const schedule::Plan& plan, std::uint32_t in_flight) {
  std::vector<std::uint64_t> weights(program.parts, 0);
  for (const schedule::Stage& stage : plan.schedule.stages) {
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const schedule::Hop& hop : stage.rounds.round(t)) {
        if (weights[hop.packet] == 0) weights[hop.packet] = cost::ramp_weight(t, in_flight);
      }
    }
  }
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
  program.in_flight = in_flight;
  program.part_ends = std::move(weights);
}

}  // namespace isotrope::rank
