// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/centre.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::network {

Node centre(const SurvivingNetwork& network) {
  constexpr int most_searches = 32;
  std::vector<std::uint32_t> bounds(network.whole().order(), 0);
  const auto raise = [&](const std::vector<std::uint32_t>& distances) {
    for (const Node node : network.nodes()) bounds[node] = std::max(bounds[node], distances[node]);
  };
  Node best = network.nodes().front();
  std::uint32_t least = unreachable;
  for (int search = 0; search < most_searches; ++search) {
    const Node node = *std::ranges::min_element(network.nodes(), {}, [&](Node n) { return bounds[n]; });
    if (least <= bounds[node]) break;
    const std::vector<std::uint32_t> distances = network.distances(node);
    const Node farthest =
        *std::ranges::max_element(network.nodes(), {}, [&](Node n) { return distances[n]; });
    if (distances[farthest] < least) {
      best = node;
      least = distances[farthest];
    }
    raise(distances);
    bounds[node] = distances[farthest];
    raise(network.distances(farthest));
  }
  return best;
}

}  // namespace isotrope::network
