// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/bandwidth.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/listed_problem.hpp"
#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;

bool counts_sends(const Bound& bound) {
  constexpr std::array<std::string_view, 4> kinds{"degree", "distance-sum", "port-sum", "work"};
  return std::ranges::find(kinds, bound.kind) != kinds.end();
}

}  // namespace

std::optional<Bound> bandwidth_bound(const Problem& problem) {
  const Collective collective = problem.task.collective;
  const bool listed = collective == Collective::isotropic || collective == Collective::task;
  if (listed || collective == Collective::barrier || !problem.failed.empty()) return std::nullopt;
  return send_bound(problem);
}

std::optional<Bound> send_bound(const Problem& problem) {
  Problem strict = problem;
  strict.aggregation = 1;
  const std::vector<Bound> bounds = lower_bounds(strict);
  const auto largest = std::ranges::find_if(bounds, counts_sends);
  if (largest == bounds.end()) return std::nullopt;
  return *largest;
}

std::optional<Bound> bandwidth_bound(const Plan& plan) {
  Problem problem = problem_of(plan);
  if (const auto listed = listed_problem(plan)) problem.task.vector_blocks = listed->task.vector_blocks;
  return bandwidth_bound(problem);
}

}  // namespace isotrope::bound
