// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/dilation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::graph {

using network::Node;

Distances::Distances(const network::SurvivingNetwork& network) : order_(network.whole().order()) {
  if (order_ > most_nodes)
    throw Error(fmt::format("a rank map on {}, which has {} nodes: give a network of at most {}",
                            network.whole().name(), order_, most_nodes));
  table_.reserve(std::size_t{order_} * order_);
  for (Node node = 0; node < order_; ++node) {
    for (const std::uint32_t distance : network.distances(node))
      table_.push_back(static_cast<std::uint16_t>(distance));
  }
}

Dilation dilation(const network::SurvivingNetwork& program, const Distances& machine,
                  const network::RankMap& ranks) {
  Dilation result;
  for (const network::Rank rank : program.nodes()) {
    program.for_each_neighbour(rank, [&](network::Port, network::Rank other) {
      if (other < rank) return;
      const std::uint32_t distance = machine(ranks.node_of(rank), ranks.node_of(other));
      result.largest = std::max(result.largest, distance);
      result.sum += distance;
      ++result.links;
    });
  }
  return result;
}

}  // namespace isotrope::graph
