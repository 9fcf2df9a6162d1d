// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/filling_bound.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::planner {

using network::Node;

std::optional<RootedWay> rooted_way(const schedule::Problem& problem) {
  const auto collective = problem.task.collective;
  const bool is_rooted =
      collective == schedule::Collective::broadcast || collective == schedule::Collective::reduce;
  if (!is_rooted || problem.network.order() == 1) return std::nullopt;
  const std::uint64_t limit = problem.ports.sends(problem.network.degree());
  if (problem.failed.empty()) {
    const auto ports = static_cast<double>(limit);
    return RootedWay{static_cast<double>(problem.network.distance_counts().size() - 1), ports, ports};
  }
  const network::SurvivingNetwork left(problem.network, problem.failed);
  const std::vector<std::uint32_t> distances = left.distances(problem.task.root);
  std::uint32_t hops = 0;
  std::uint64_t ports = limit;
  for (const Node node : left.nodes()) {
    if (distances[node] < hops || distances[node] == network::unreachable) continue;
    const std::uint64_t usable = std::min<std::uint64_t>(left.degree(node), limit);
    ports = distances[node] > hops ? usable : std::min(ports, usable);
    hops = distances[node];
  }
  if (hops == 0) return std::nullopt;
  const std::uint64_t of_root = std::min<std::uint64_t>(left.degree(problem.task.root), limit);
  return RootedWay{static_cast<double>(hops), static_cast<double>(of_root), static_cast<double>(ports)};
}

// The seconds for g blocks are convex in g, as the rounds grow with g and the bytes fall.
double filling_bound(const RootedWay& way, double bytes_s, double message_s, std::uint64_t least_rounds,
                     double least_bytes_s) {
  const auto rounds = static_cast<double>(least_rounds);
  if (way.hops < 2) return rounds * message_s + least_bytes_s;
  const auto seconds = [&](std::uint64_t blocks) {
    const auto g = static_cast<double>(blocks);
    return std::max(rounds, (g - 1) * (way.hops - 1) + 1) * message_s +
           std::max(least_bytes_s, g / (g - 1) * bytes_s / way.ports());
  };
  std::uint64_t first = 2, last = std::uint64_t{1} << 52;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (seconds(middle + 1) < seconds(middle)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return seconds(first);
}

double segmented_bound(const RootedWay& way, double bytes, double bytes_s, double message_s) {
  const double most = std::max(bytes, 1.0);
  const double best = message_s > 0 ? std::sqrt((way.hops - 1) * bytes_s * way.root_ports / message_s) : most;
  const double segments = std::clamp(best, 1.0, most);
  return (segments / way.root_ports + way.hops - 1) * (message_s + bytes_s / segments);
}

}  // namespace isotrope::planner
