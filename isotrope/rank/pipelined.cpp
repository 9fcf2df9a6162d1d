// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/pipelined.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "isotrope/cost/ramp.hpp"

namespace isotrope::rank {

// The root sends a packet over a link in every round, so the first round of a part is its place in the
// pipeline.
void make_pipelined(RankProgram& program, const schedule::Plan& plan, std::uint32_t window) {
  std::vector<std::uint64_t> weights(program.parts, 0);
  for (const schedule::Stage& stage : plan.schedule.stages) {
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const schedule::Hop& hop : stage.rounds.round(t)) {
        if (weights[hop.packet] == 0) weights[hop.packet] = cost::ramp_weight(t, window);
      }
    }
  }
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
  program.window = window;
  program.part_ends = std::move(weights);
}

}  // namespace isotrope::rank
