// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/nodes_left.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "isotrope/network/nodes_left.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"

namespace isotrope::cost {
namespace {

using network::EdgeTimes;

// Those that differ from the machine's, by the numbers of the nodes that are left.
std::vector<EdgeTimes> times_of_edges(const network::NamedNetwork& whole, const Machine& links) {
  const LinkTimes times(whole.network, whole.lacks, links);
  const network::SurvivingNetwork left(whole.network, whole.lacks);
  const auto number = [&](Node node) {
    return static_cast<Node>(std::ranges::lower_bound(left.nodes(), node) - left.nodes().begin());
  };
  std::vector<EdgeTimes> result;
  for (const Node low : left.nodes()) {
    left.for_each_neighbour(low, [&](Port port, Node high) {
      const LinkTime& time = times.all()[times.of(low, port)];
      if (low < high && time != times.all().front())
        result.push_back({{number(low), number(high)}, time.startup_s, time.byte_time_s});
    });
  }
  std::ranges::sort(result, {}, &EdgeTimes::edge);
  const auto same = [](const EdgeTimes& a, const EdgeTimes& b) { return a.edge == b.edge; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

}  // namespace

NodesLeft nodes_left(const network::NamedNetwork& whole, const Machine& links) {
  NodesLeft result{network::network_left(whole), links};
  if (whole.lacks.nodes.empty() || links.link_class_count == 0) return result;
  result.network.lacks.edge_times = times_of_edges(whole, links);
  result.machine.listed_classes = {};
  result.machine.link_class_count = 0;
  return result;
}

}  // namespace isotrope::cost
