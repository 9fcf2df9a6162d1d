// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/lane_graph.hpp"

#include <algorithm>

namespace isotrope::forward {

std::vector<Neighbour> neighbours_of(const network::SurvivingNetwork& network, Node node) {
  std::vector<Neighbour> result;
  for (const network::Port port : network.ports(node)) {
    const Node neighbour = network.whole().neighbour(node, port);
    const auto known = std::ranges::find(result, neighbour, &Neighbour::node);
    if (known == result.end()) {
      result.push_back({neighbour, 1});
    } else {
      ++known->links;
    }
  }
  return result;
}

LaneGraph::LaneGraph(const network::SurvivingNetwork& network) : first_{0} {
  const Node nodes = network.whole().order();
  first_in_.assign(std::size_t{nodes} + 1, 0);
  for (Node node = 0; node < nodes; ++node) {
    if (network.alive(node)) {
      for (const auto& [to, links] : neighbours_of(network, node)) {
        lanes_.push_back({node, to, links});
        ++first_in_[std::size_t{to} + 1];
      }
    }
    first_.push_back(static_cast<std::uint32_t>(lanes_.size()));
  }
  for (std::size_t i = 1; i < first_in_.size(); ++i) first_in_[i] += first_in_[i - 1];
  in_.resize(lanes_.size());
  std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) in_[next[lanes_[lane].to]++] = lane;
}

std::uint64_t LaneGraph::links(Node node) const {
  std::uint64_t result = 0;
  for (const Lane& lane : out(node)) result += lane.links;
  return result;
}

}  // namespace isotrope::forward
