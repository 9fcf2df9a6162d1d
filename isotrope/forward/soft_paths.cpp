// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/soft_paths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "isotrope/forward/apportionment.hpp"

namespace isotrope::forward {
SoftPaths::SoftPaths(const LaneGraph& graph, Node source, std::span<const double> lengths,
                     std::uint32_t most_hops, double theta)
    : graph_(graph),
      source_(source),
      most_hops_(most_hops),
      factors_(graph.lanes().size()),
      sums_((std::size_t{most_hops} + 1) * graph.nodes(), 0.0) {
  const std::vector<double> least = least_costs(lengths);
  for (std::size_t lane = 0; lane < factors_.size(); ++lane) {
    const LaneGraph::Lane& at = graph.lanes()[lane];
    const double detour = lengths[lane] + least[at.from] - least[at.to];
    factors_[lane] = std::exp(-theta * std::max(detour, 0.0));
  }
  sum(0, source) = 1;
  for (std::uint32_t hops = 1; hops <= most_hops; ++hops) {
    for (std::size_t lane = 0; lane < factors_.size(); ++lane) {
      const LaneGraph::Lane& at = graph.lanes()[lane];
      if (at.to != source) sum(hops, at.to) += sum(hops - 1, at.from) * factors_[lane];
    }
  }
}

// Of paths of at most most_hops_ hops.
std::vector<double> SoftPaths::least_costs(std::span<const double> lengths) const {
  std::vector<double> least(graph_.nodes(), std::numeric_limits<double>::infinity());
  least[source_] = 0;
  std::vector<double> before;
  for (std::uint32_t hops = 0; hops < most_hops_ && before != least; ++hops) {
    before = least;
    for (std::size_t lane = 0; lane < lengths.size(); ++lane) {
      const LaneGraph::Lane& at = graph_.lanes()[lane];
      least[at.to] = std::min(least[at.to], before[at.from] + lengths[lane]);
    }
  }
  return least;
}

void SoftPaths::add_loads(std::span<const std::uint64_t> bytes, std::span<double> loads) const {
  std::vector<double> arriving(sums_.size(), 0.0);
  for (Node node = 0; node < graph_.nodes(); ++node) {
    if (node == source_ || bytes[node] == 0) continue;
    double total = 0;
    for (std::uint32_t hops = 1; hops <= most_hops_; ++hops) total += sum(hops, node);
    for (std::uint32_t hops = 1; hops <= most_hops_ && total > 0; ++hops)
      arriving[std::size_t{hops} * graph_.nodes() + node] =
          static_cast<double>(bytes[node]) * sum(hops, node) / total;
  }
  for (std::uint32_t hops = most_hops_; hops >= 1; --hops) {
    for (Node node = 0; node < graph_.nodes(); ++node) {
      const double bytes_here = arriving[std::size_t{hops} * graph_.nodes() + node];
      if (bytes_here <= 0) continue;
      for (const std::uint32_t lane : graph_.in(node)) {
        const Node from = graph_.lanes()[lane].from;
        const double part = bytes_here * sum(hops - 1, from) * factors_[lane] / sum(hops, node);
        loads[lane] += part;
        arriving[std::size_t{hops - 1} * graph_.nodes() + from] += part;
      }
    }
  }
}

std::vector<Route> SoftPaths::draw(Node destination, std::size_t count, SplitMix& random) const {
  struct Share {  // of the paths, which arrive at a node in so many hops
    std::size_t begin, end;
    Node node;
    std::uint32_t hops;
  };
  std::vector<Share> shares;
  std::vector<Route> routes(count);
  std::vector<double> weights;
  const auto start = [&](std::size_t begin, std::size_t end, Node node, std::uint32_t hops) {
    if (node == destination) {
      for (std::size_t i = begin; i < end; ++i) routes[i].resize(hops);
    }
    if (hops > 0) shares.push_back({begin, end, node, hops});
  };

  for (std::uint32_t hops = 0; hops <= most_hops_; ++hops) weights.push_back(sum(hops, destination));
  apportion(weights, count, random, [&](std::size_t hops, std::size_t begin, std::size_t end) {
    start(begin, end, destination, static_cast<std::uint32_t>(hops));
  });
  while (!shares.empty()) {
    const Share share = shares.back();
    shares.pop_back();
    const auto lanes = graph_.in(share.node);
    weights.clear();
    for (const std::uint32_t lane : lanes)
      weights.push_back(sum(share.hops - 1, graph_.lanes()[lane].from) * factors_[lane]);
    apportion(weights, share.end - share.begin, random,
              [&](std::size_t i, std::size_t begin, std::size_t end) {
                const Node from = graph_.lanes()[lanes[i]].from;
                const auto lane = static_cast<std::uint16_t>(lanes[i] - graph_.first(from));
                // A walk that passes its destination ends there: the part is shortened when that is found.
                for (std::size_t part = share.begin + begin; part < share.begin + end; ++part)
                  routes[part][share.hops - 1] = lane;
                start(share.begin + begin, share.begin + end, from, share.hops - 1);
              });
  }
  return routes;
}

}  // namespace isotrope::forward
