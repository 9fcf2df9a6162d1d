// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/bandwidth_bound.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::schedule {
namespace {

bool counts_sends(const Bound& bound) {
  constexpr std::array<std::string_view, 4> kinds{"degree", "distance-sum", "port-sum", "work"};
  return std::ranges::find(kinds, bound.kind) != kinds.end();
}

Bound gossip_bound(const Network& network, const Task& task, PortModel ports) {
  const std::uint64_t nodes = network.order();
  const std::uint64_t calls = 2 * (nodes - 1);
  const std::uint64_t packets = nodes * task.parts;
  const std::uint64_t at_once = ports.half_duplex() ? nodes / 2 : nodes * ports.sends(network.degree());
  const std::uint64_t value = packets / at_once * calls + ceil_div(packets % at_once * calls, at_once);
  return {"gossip", value,
          fmt::format("each of {} packets takes {} transmissions until every node has all contributions, and "
                      "{} are possible for a packet a link: ceil({} * {} / {}) = {}",
                      packets, calls, at_once, packets, calls, at_once, value)};
}

}  // namespace

std::optional<Bound> bandwidth_bound(const Network& network, const Task& task, PortModel ports) {
  if (task.collective == Collective::barrier) return std::nullopt;
  if (task.collective == Collective::allreduce && network.order() > 1)
    return gossip_bound(network, task, ports);
  const std::vector<Bound> bounds = lower_bounds(network, task, ports, RoundKind::strict);
  const auto largest = std::ranges::find_if(bounds, counts_sends);
  if (largest == bounds.end()) return std::nullopt;
  return *largest;
}

std::optional<Bound> bandwidth_bound(const Plan& plan) {
  const auto is_replicated = [](const Stage& stage) { return stage.replication == Replication::all(); };
  const bool a_block_a_node = std::ranges::all_of(plan.schedule.stages, is_replicated);
  if (!plan.failed.empty()) return std::nullopt;
  if (plan.task.collective == Collective::allreduce && !a_block_a_node) return std::nullopt;
  return bandwidth_bound(plan.network, plan.task, plan.schedule.ports);
}

}  // namespace isotrope::schedule
