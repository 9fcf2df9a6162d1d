// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/weighted_distances.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace isotrope::verify {
namespace {

using schedule::Collective;
using schedule::Network;
using schedule::Node;
using schedule::Plan;
using schedule::Port;
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_links = std::uint64_t{1} << 22;

std::vector<std::uint64_t> weighted_distances(const Network& network,
                                              const std::vector<std::uint32_t>& weights) {
  using Reached = std::pair<std::uint64_t, Node>;  // distance, node
  std::vector<std::uint64_t> distance(network.order(), UINT64_MAX);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  distance[0] = 0;
  open.emplace(0, 0);
  while (!open.empty()) {
    const auto [so_far, node] = open.top();
    open.pop();
    if (so_far != distance[node]) continue;
    for (Port port = 0; port < network.degree(); ++port) {
      const Node next = network.neighbour(node, port);
      if (so_far + weights[port] >= distance[next]) continue;
      distance[next] = so_far + weights[port];
      open.emplace(distance[next], next);
    }
  }
  return distance;
}

// Blocks that origin 0 sends to every node.
std::vector<std::uint64_t> blocks_by_node(const Plan& plan, const Network& network) {
  std::vector<std::uint64_t> blocks(network.order(), 0);
  for (const auto& [to, count] : plan.task.destinations) blocks[to] += count;
  for (Node to = 1; to < network.order(); ++to) {
    const std::uint64_t distance =
        plan.task.collective == Collective::neighborhood ? network.distance(0, to) : 0;
    if (plan.task.collective == Collective::alltoall) blocks[to] = 1;
    if (plan.task.collective == Collective::neighborhood)
      blocks[to] = plan.task.nearest <= distance && distance <= plan.task.farthest ? 1 : 0;
  }
  return blocks;
}

bool is_exchange(const Plan& plan) {
  const Collective collective = plan.task.collective;
  return collective == Collective::alltoall || collective == Collective::neighborhood ||
         (collective == Collective::isotropic && !plan.task.destinations.empty());
}

}  // namespace

std::optional<std::uint64_t> stated_port_sum(const Plan& plan) {
  const Network& network = hop_network(plan);
  std::vector<std::uint32_t> weights = plan.bound.weights;
  if (!is_exchange(plan) || !plan.failed.empty() || weights.size() != network.degree() ||
      plan.schedule.round_kind != schedule::RoundKind::strict || network.directed_links() > most_links)
    return std::nullopt;
  const std::vector<std::uint64_t> distance = weighted_distances(network, weights);
  const std::vector<std::uint64_t> blocks = blocks_by_node(plan, network);
  Wide length = 0;
  for (Node to = 1; to < network.order(); ++to) length += Wide{distance[to]} * blocks[to] * plan.task.parts;
  std::ranges::sort(weights, std::greater<>());
  std::uint64_t capacity = 0;
  for (Port port = 0; port < plan.schedule.ports.sends(network.degree()); ++port) capacity += weights[port];
  if (capacity == 0) return std::nullopt;
  return static_cast<std::uint64_t>((length + capacity - 1) / capacity);
}

}  // namespace isotrope::verify
