// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/ring_exchange.hpp"

#include <algorithm>
#include <array>
#include <queue>

namespace isotrope::algorithm {
namespace {

struct NearerLast {
  bool operator()(const RingHop& a, const RingHop& b) const {
    return a.distance - a.done < b.distance - b.done;
  }
};
using Waiting = std::priority_queue<RingHop, std::vector<RingHop>, NearerLast>;

}  // namespace

std::vector<std::vector<RingHop>> ring_exchange(std::uint32_t extent, std::uint32_t nearest,
                                                std::uint32_t farthest) {
  std::array<Waiting, 2> waiting;  // at even nodes, at odd nodes
  for (std::uint32_t distance = nearest; distance <= std::min(farthest, extent / 2); ++distance) {
    waiting[0].push({false, distance, 0});
    if (distance < extent / 2) waiting[1].push({true, distance, 0});
  }
  std::vector<std::vector<RingHop>> rounds;
  while (!waiting[0].empty() || !waiting[1].empty()) {
    std::vector<RingHop>& hops = rounds.emplace_back();
    for (Waiting& queue : waiting) {
      if (queue.empty()) continue;
      hops.push_back(queue.top());
      queue.pop();
    }
    for (const RingHop& hop : hops) {
      if (hop.done + 1 == hop.distance) continue;
      const bool at_odd = hop.odd_origin != ((hop.done + 1) % 2 == 1);
      waiting[at_odd ? 1 : 0].push({hop.odd_origin, hop.distance, hop.done + 1});
    }
  }
  return rounds;
}

}  // namespace isotrope::algorithm
