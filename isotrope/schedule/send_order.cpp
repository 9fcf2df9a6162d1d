// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/send_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::schedule {
namespace {

std::vector<Port> ports_in(SendOrder order, const Plan& plan) {
  const std::vector<std::uint32_t> distances = port_distances(plan.network, plan.failed, *plan.overlay);
  std::vector<Port> result(distances.size());
  std::iota(result.begin(), result.end(), Port{0});
  std::ranges::sort(result, {}, [&](Port port) { return order.place(distances[port], port); });
  return result;
}

Schedule over_ports(const Schedule& schedule, const std::vector<Port>& port_of) {
  Schedule result = schedule;
  for (Stage& stage : result.stages) {
    const Rounds before = std::exchange(stage.rounds, {});
    stage.rounds.reserve(before.size(), before.hop_count());
    for (std::uint64_t t = 0; t < before.size(); ++t) {
      for (const Hop& hop : before.round(t)) stage.rounds.add({hop.packet, hop.from, port_of[hop.port]});
      stage.rounds.close_round();
    }
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> port_distances(const Network& machine, const network::Failures& failed,
                                          const Network& overlay) {
  std::vector<std::uint32_t> around;  // missing links
  if (!failed.empty() && failed.nodes.empty())
    around = network::SurvivingNetwork(machine, failed).distances(0);
  std::vector<std::uint32_t> result;
  for (const Node to : overlay.generators())
    result.push_back(around.empty() ? machine.distance(0, to) : around[to]);
  return result;
}

void order_sends(Plan& plan, SendOrder order) {
  if (!plan.overlay) return;
  const std::vector<Port> ordered = ports_in(order, plan);
  if (std::ranges::is_sorted(ordered)) return;
  std::vector<Port> port_of(ordered.size());
  std::vector<Node> generators;
  for (const Port port : ordered) {
    port_of[port] = static_cast<Port>(generators.size());
    generators.push_back(plan.overlay->generators()[port]);
  }
  plan.schedule = over_ports(plan.schedule, port_of);
  plan.overlay = Network("cayley", plan.overlay->group(), std::move(generators));
}

}  // namespace isotrope::schedule
