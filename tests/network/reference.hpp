// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the network tests hold every family against: distances by breadth-first search over its links.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The distance of every node from node 0, found by walking the network's links one by one.
inline std::vector<std::uint32_t> searched_distances(const Network& network) {
  std::vector<std::uint32_t> distances(network.order(), UINT32_MAX);
  std::vector<Node> queue{0};
  distances[0] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Node next = network.neighbour(queue[head], port);
      if (distances[next] != UINT32_MAX) continue;
      distances[next] = distances[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return distances;
}

/// Expects distances, counts, diameter, sum and average to be those of the search.
inline void expect_exact_metric(const Network& network) {
  SCOPED_TRACE(network.name());
  const std::vector<std::uint32_t> distances = searched_distances(network);
  std::vector<std::uint64_t> counts;
  std::uint64_t sum = 0;
  for (Node node = 0; node < network.order(); ++node) {
    ASSERT_EQ(network.distance(0, node), distances[node]) << "node " << node;
    if (distances[node] >= counts.size()) counts.resize(distances[node] + 1);
    ++counts[distances[node]];
    sum += distances[node];
  }
  EXPECT_EQ(network.distance_counts(), counts);
  EXPECT_EQ(network.diameter(), counts.size() - 1);
  EXPECT_EQ(network.distance_sum(), sum);
  const double pairs = network.order() == 1 ? 1 : network.order() - 1;
  EXPECT_DOUBLE_EQ(network.average_distance(), static_cast<double>(sum) / pairs);
}

}  // namespace isotrope::network
