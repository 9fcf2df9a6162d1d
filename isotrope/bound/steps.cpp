// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/steps.hpp"

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

using schedule::ceil_div;

std::optional<StepBound> step_bound(const Problem& problem) {
  if (!problem.step_limits || !problem.failed.empty()) return std::nullopt;
  const GraphView view(problem);
  if (view.traffic() != Traffic::isotropic || problem.network.order() == 1) return std::nullopt;
  const std::uint64_t packets = view.wanted_count() * view.parts();
  const auto [sends, load] = *problem.step_limits;
  const std::uint64_t sum = send_bound(problem)->value;
  const std::uint64_t by_sends = ceil_div(packets, sends), by_load = ceil_div(sum, load);
  if (by_sends >= by_load)
    return StepBound{by_sends, sum,
                     fmt::format("every node sends {} packets, {} in a step: ceil({}/{}) = {}", packets,
                                 sends, packets, sends, by_sends)};
  return StepBound{by_load, sum,
                   fmt::format("links carry {} packets, and {} in a step: ceil({}/{}) = {}", sum, load, sum,
                               load, by_load)};
}

}  // namespace isotrope::bound
