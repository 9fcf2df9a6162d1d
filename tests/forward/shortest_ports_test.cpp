// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/shortest_ports.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::forward {
namespace {

network::SurvivingNetwork named(const std::string& name) {
  network::NamedNetwork network = network::parse_named(name);
  return {network.network, network.lacks};
}

TEST(ShortestPorts, LeadCloser) {
  for (const std::string name : {"torus:4x5", "mesh:3x4", "hexmesh:3", "complete:5", "line:3xring:4@2"}) {
    const network::SurvivingNetwork network = named(name);
    for (const Node node : network.nodes()) {
      const ShortestPorts ports(network, node);
      for (const Node to : network.nodes()) {
        const std::vector<std::uint32_t> distances = network.distances(to);
        EXPECT_EQ(ports.distance(to), distances[node]);
        std::vector<ShortestPorts::Lane> closer;
        for (std::size_t lane = 0; lane < ports.lanes(); ++lane) {
          if (distances[ports.neighbour(lane)] < distances[node])
            closer.push_back(static_cast<ShortestPorts::Lane>(lane));
        }
        EXPECT_TRUE(std::ranges::equal(ports.towards(to), closer)) << name << ' ' << node << ' ' << to;
      }
    }
  }
}

TEST(ShortestPorts, LinksSideBySideAreOneLane) {
  const ShortestPorts ports(named("torus:4x4@2,1"), 0);
  EXPECT_EQ(ports.lanes(), 4U);
  EXPECT_EQ(ports.links(0), 2U);
  EXPECT_EQ(ports.links(3), 1U);
  EXPECT_EQ(ports.lane_of(1), ports.lane_of(0) == ports.lane_of(1) ? 0U : 1U);
}

// All orders together prefer every way equally often, wherever the destination is.
TEST(ShortestPorts, OrdersAreBalanced) {
  const ShortestPorts ports(named("torus:4x4"), 0);
  for (const Node to : {2U, 8U, 10U}) {  // opposite on one ring, or on both
    std::vector<std::uint32_t> uses(ports.lanes(), 0);
    for (std::uint32_t place = 0; place < ports.orders(); ++place)
      ++uses[ports.preferred(to, ports.order(place))];
    for (const ShortestPorts::Lane lane : ports.towards(to))
      EXPECT_EQ(uses[lane], ports.orders() / ports.towards(to).size()) << to;
  }
}

TEST(ShortestPorts, Diameter) {
  EXPECT_EQ(distances_of(named("torus:4x4")).largest, 4U);
  EXPECT_EQ(distances_of(named("mesh:4x4")).largest, 6U);
}

}  // namespace
}  // namespace isotrope::forward
