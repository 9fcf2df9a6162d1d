// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

// The drawing of the header.
TEST(Layers, of_a_small_torus) {
  const Network torus = network::parse("torus:3x3");
  const Layers layers(torus, 0);
  EXPECT_THAT(layers.nodes(), testing::ElementsAre(0, 3, 6, 1, 2, 4, 5, 7, 8));
  EXPECT_EQ(layers.height(), 2U);
  ASSERT_EQ(layers.last_hops(4).size(), 2U);
  EXPECT_EQ(layers.last_hops(4)[0].from, 1U);
  EXPECT_EQ(layers.last_hops(4)[0].port, 0U);
  EXPECT_EQ(layers.last_hops(4)[1].from, 3U);
  EXPECT_EQ(layers.last_hops(4)[1].port, 2U);
  EXPECT_TRUE(layers.last_hops(0).empty());
}

TEST(Layers, hold_every_last_hop_of_a_shortest_path) {
  for (const char* name : {"ring:1", "ring:8", "torus:2x5", "hypercube:5", "hexmesh:4", "twisted-torus:4x4x8",
                           "circulant:30:1,5", "complete:6"}) {
    const Network network = network::parse(name);
    const Node root = network.order() / 2;
    const Layers layers(network, root);
    std::uint32_t depth = 0;
    for (const Node node : layers.nodes()) {
      EXPECT_EQ(layers.depth(node), network.distance(root, node));
      EXPECT_GE(layers.depth(node), depth);
      depth = layers.depth(node);
      std::size_t hops = 0;
      for (Port port = 0; port < network.degree(); ++port) {
        hops += network.distance(root, network.neighbour(node, port)) < depth ? 1 : 0;
      }
      EXPECT_EQ(layers.last_hops(node).size(), hops) << name << " " << node;
      for (const auto [from, port] : layers.last_hops(node)) {
        EXPECT_EQ(network.neighbour(from, port), node);
        EXPECT_EQ(network.distance(root, from) + 1, depth);
      }
    }
    EXPECT_EQ(layers.height(), depth);
    EXPECT_EQ(layers.nodes().size(), network.order());
  }
}

}  // namespace
}  // namespace isotrope::algorithm
