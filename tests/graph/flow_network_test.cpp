// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/flow_network.hpp"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::graph {
namespace {

// 0 -> 1 -> 3 and 0 -> 2 -> 3, with a bridge 1 -> 2 that takes what 1 -> 3 does not.
TEST(FlowNetwork, sends_as_much_as_fits) {
  FlowNetwork network(4);
  network.add_arc(0, 1, 5);
  const auto narrow = network.add_arc(1, 3, 2);
  network.add_arc(0, 2, 1);
  network.add_arc(2, 3, 9);
  EXPECT_EQ(network.augment(0, 3), 3);
  EXPECT_THAT(network.source_side(0), testing::ElementsAre(true, true, false, false));
  const auto bridge = network.add_arc(1, 2, 2);
  EXPECT_EQ(network.augment(0, 3), 2);
  EXPECT_EQ(network.augment(0, 3), 0);
  EXPECT_EQ(network.flow(narrow), 2);
  EXPECT_EQ(network.flow(bridge), 2);
}

struct CapacityArc {
  std::uint32_t from, to;
  std::uint64_t capacity;
};

// By all sets with node 0 and without node n - 1.
std::uint64_t smallest_cut(std::uint32_t nodes, const std::vector<CapacityArc>& arcs) {
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t set = 1; set < 1U << (nodes - 1); set += 2) {
    std::uint64_t out = 0;
    for (const auto& [from, to, capacity] : arcs)
      out += (set >> from & 1) != 0 && (set >> to & 1) == 0 ? capacity : 0;
    least = std::min(least, out);
  }
  return least;
}

TEST(FlowNetwork, has_the_flow_of_the_smallest_cut) {
  SplitMix random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t nodes = 2 + random.below(6);
    std::vector<CapacityArc> arcs;
    FlowNetwork network(nodes);
    std::vector<FlowNetwork::Arc> numbers;
    for (std::uint32_t i = 0; i < 3 * nodes; ++i) {
      arcs.push_back({random.below(nodes), random.below(nodes), random.below(5)});
      numbers.push_back(network.add_arc(arcs[i].from, arcs[i].to, arcs[i].capacity));
    }
    const std::uint64_t flow = network.augment(0, nodes - 1);
    EXPECT_EQ(flow, smallest_cut(nodes, arcs)) << trial;
    const std::vector<bool> side = network.source_side(0);
    std::vector<std::int64_t> excess(nodes, 0);
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const std::uint64_t units = network.flow(numbers[i]);
      EXPECT_LE(units, arcs[i].capacity) << trial;
      excess[arcs[i].from] -= static_cast<std::int64_t>(units);
      excess[arcs[i].to] += static_cast<std::int64_t>(units);
      if (side[arcs[i].from] && !side[arcs[i].to]) out += arcs[i].capacity;
    }
    EXPECT_EQ(out, flow) << trial;
    for (std::uint32_t node = 1; node + 1 < nodes; ++node) EXPECT_EQ(excess[node], 0) << trial;
  }
}

}  // namespace
}  // namespace isotrope::graph
