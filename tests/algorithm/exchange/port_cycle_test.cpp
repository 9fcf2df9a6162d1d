// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/port_cycle.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using testing::ElementsAre;

// Bit 2, the first coordinate, goes to bit 1; node numbers 0..7.
TEST(PortCycle, of_a_hypercube_rotates_the_bits) {
  const auto cycle = port_cycle(network::parse("hypercube:3"));
  ASSERT_TRUE(cycle);
  EXPECT_THAT(cycle->ports, ElementsAre(2, 1, 0));
  EXPECT_THAT(cycle->image, ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

// (x, y) -> (-y, x), node 3x + y, ports 1+, 1-, 2+, 2-.
TEST(PortCycle, of_a_torus_of_two_axes_is_a_quarter_turn) {
  const auto cycle = port_cycle(network::parse("torus:3x3"));
  ASSERT_TRUE(cycle);
  EXPECT_THAT(cycle->ports, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(cycle->image, ElementsAre(0, 6, 3, 1, 7, 4, 2, 8, 5));
}

TEST(PortCycle, of_a_circulant_multiplies) {
  const auto cycle = port_cycle(network::parse("circulant:13:1,5"));
  ASSERT_TRUE(cycle);
  EXPECT_THAT(cycle->ports, ElementsAre(0, 2, 1, 3));  // 1, 5, -1, -5
  EXPECT_EQ(cycle->image[2], 10u);
}

TEST(PortCycle, exists_where_all_ports_are_alike) {
  for (const char* name : {"hypercube:1", "hypercube:8", "torus:5x1x5x5", "ring:9", "ring:2", "hexmesh:2",
                           "hexmesh:7", "circulant:10:1,3", "circulant:25:1,7", "complete:7"}) {
    EXPECT_TRUE(port_cycle(network::parse(name))) << name;
  }
  for (const char* name : {"ring:1", "torus:3x4", "circulant:13:1,2", "circulant:8:1,3", "circulant:12:2,3",
                           "complete:8", "twisted-torus:2x2x4"}) {
    EXPECT_FALSE(port_cycle(network::parse(name))) << name;
  }
}

TEST(PortCycle, is_a_linear_map_that_takes_every_port_to_the_next) {
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    const auto cycle = port_cycle(network);
    if (!cycle || network.order() > 4096) continue;
    const auto& [ports, image] = *cycle;
    std::vector<Port> sorted = ports;
    std::sort(sorted.begin(), sorted.end());
    for (Port port = 0; port < network.degree(); ++port) ASSERT_EQ(sorted[port], port) << name;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Port next = ports[(i + 1) % ports.size()];
      ASSERT_EQ(image[network.generators()[ports[i]]], network.generators()[next]) << name;
      for (Node node = 0; node < network.order(); ++node) {
        ASSERT_EQ(image[network.neighbour(node, ports[i])], network.neighbour(image[node], next)) << name;
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
