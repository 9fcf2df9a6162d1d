// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/bandwidth.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using schedule::ceil_div;
using schedule::Collective;

bool counts_sends(const Bound& bound) {
  constexpr std::array<std::string_view, 4> kinds{"degree", "distance-sum", "port-sum", "work"};
  return std::ranges::find(kinds, bound.kind) != kinds.end();
}

Bound gossip_bound(const Problem& problem) {
  const std::uint64_t nodes = problem.network.order();
  const std::uint64_t calls = 2 * (nodes - 1);
  const std::uint64_t packets = nodes * problem.task.parts;
  const std::uint64_t at_once =
      problem.ports.half_duplex() ? nodes / 2 : nodes * problem.ports.sends(problem.network.degree());
  const std::uint64_t value = packets / at_once * calls + ceil_div(packets % at_once * calls, at_once);
  return {"gossip", value,
          fmt::format("each of {} packets takes {} transmissions until every node has all contributions, and "
                      "{} are possible for a packet a link: ceil({} * {} / {}) = {}",
                      packets, calls, at_once, packets, calls, at_once, value)};
}

}  // namespace

std::optional<Bound> bandwidth_bound(const Problem& problem) {
  const Collective collective = problem.task.collective;
  const bool listed = collective == Collective::isotropic || collective == Collective::task;
  if (listed || collective == Collective::barrier || !problem.failed.empty()) return std::nullopt;
  if (collective == Collective::allreduce && problem.network.order() > 1) return gossip_bound(problem);
  Problem strict = problem;
  strict.aggregation = 1;
  const std::vector<Bound> bounds = lower_bounds(strict);
  const auto largest = std::ranges::find_if(bounds, counts_sends);
  if (largest == bounds.end()) return std::nullopt;
  return *largest;
}

std::optional<Bound> bandwidth_bound(const Plan& plan) {
  const auto is_replicated = [](const schedule::Stage& stage) {
    return stage.replication == schedule::Replication::all();
  };
  const bool a_block_per_node = std::ranges::all_of(plan.schedule.stages, is_replicated);
  if (plan.task.collective == Collective::allreduce && !a_block_per_node) return std::nullopt;
  return bandwidth_bound(problem_of(plan));
}

}  // namespace isotrope::bound
