// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/port_sum.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::bound {
namespace {

using network::Node;
using schedule::parse_task;
using testing::ElementsAre;

std::optional<PortSum> exchange_sum(std::string_view name, Port c = UINT32_MAX) {
  const Network network = network::parse(name);
  return port_sum(network, parse_task("alltoall", network), std::min(c, network.degree()));
}

std::uint64_t exchange_rounds(std::string_view name) {
  return exchange_sum(name)->rounds(1);
}

// The length of all shortest routes by weight, from the definition: Bellman and Ford.
std::uint64_t weighted_distance_sum(const Network& network, const std::vector<std::uint32_t>& weights) {
  std::vector<std::uint64_t> distances(network.order(), UINT32_MAX);
  distances[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        std::uint64_t& there = distances[network.neighbour(node, port)];
        if (distances[node] + weights[port] >= there) continue;
        there = distances[node] + weights[port];
        changed = true;
      }
    }
  }
  return std::accumulate(distances.begin(), distances.end(), std::uint64_t{0});
}

// Around a ring of 4 there are 1 + 2 + 1 hops; a 3 x 4 torus has 3 such rings, over 2 ports.
TEST(PortSum, of_a_torus_is_that_of_its_busiest_axis) {
  const auto sum = exchange_sum("torus:3x4");
  EXPECT_THAT(sum->weights, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(sum->length, 12);
  EXPECT_EQ(sum->capacity, 2);
  EXPECT_EQ(sum->rounds(1), 6);
  EXPECT_EQ(sum->rounds(5), 30);
  // An extent of 2 has one port, which 4 packets of 8 nodes cross.
  EXPECT_THAT(exchange_sum("torus:2x3")->weights, ElementsAre(1, 0, 0));
  EXPECT_EQ(exchange_rounds("torus:2x3"), 3);
}

// Largest of ceil(N floor(p^2 / 4) / (2 p)), p an extent above 2.
TEST(PortSum, of_tori_is_the_bound_by_links) {
  EXPECT_EQ(exchange_rounds("torus:3x5"), 9);
  EXPECT_EQ(exchange_rounds("torus:4x6"), 18);
  EXPECT_EQ(exchange_rounds("torus:2x4"), 4);
  EXPECT_EQ(exchange_rounds("torus:2x3x4"), 12);
  EXPECT_EQ(exchange_rounds("torus:5x10"), 63);
  EXPECT_EQ(exchange_rounds("torus:3x5x6"), 68);
}

// d(v) = |v| with weights 1 and 2: 2 (1 + ... + 6) = 42 over 2 (1 + 2).
TEST(PortSum, of_a_circulant_graph_by_hand) {
  const auto sum = exchange_sum("circulant:13:1,2");
  EXPECT_EQ(sum->length * 6, sum->capacity * 42);
  EXPECT_EQ(sum->rounds(1), 7);
}

// On a torus under another name the search finds what the axes say.
TEST(PortSum, finds_the_axis_of_a_torus_in_disguise) {
  EXPECT_EQ(exchange_rounds("circulant:15:3,5"), exchange_rounds("torus:5x3"));
  EXPECT_EQ(exchange_rounds("circulant:35:5,7"), exchange_rounds("torus:7x5"));
  EXPECT_EQ(exchange_rounds("circulant:105:15,21,35"), exchange_rounds("torus:7x5x3"));
}

TEST(PortSum, is_never_below_equal_weights_and_says_the_truth_about_its_own) {
  for (const char* name : {"circulant:31:1,3,5", "circulant:40:1,7,20", "twisted-torus:8,0/3,8", "hexmesh:4",
                           "twisted-torus:4x4x8", "cayley:4x2:1,0/3,0/2,1/0,1", "complete:7"}) {
    const Network network = network::parse(name);
    for (Port c = 1; c <= network.degree(); ++c) {
      const auto sum = exchange_sum(name, c);
      ASSERT_TRUE(sum) << name;
      EXPECT_EQ(sum->length, weighted_distance_sum(network, sum->weights)) << name;
      std::vector<std::uint32_t> sorted = sum->weights;
      std::sort(sorted.rbegin(), sorted.rend());
      EXPECT_EQ(sum->capacity, std::accumulate(sorted.begin(), sorted.begin() + c, std::uint64_t{0})) << name;
      EXPECT_GE(sum->length * c, network.distance_sum() * sum->capacity) << name;
    }
  }
}

// 2 blocks to node 2 and 1 to node 4 of a 2 x 4 torus: 4 hops on the second axis, 1 on the first.
TEST(PortSum, counts_the_blocks_of_a_list) {
  const Network torus = network::parse("torus:2x4");
  const std::vector<RelativeDestination> destinations{{2, 2}, {4, 1}};
  const auto sum = port_sum(torus, destinations, 3);
  EXPECT_EQ(sum->length, 4);
  EXPECT_EQ(sum->capacity, 2);
}

TEST(PortSum, is_left_out_where_ports_are_alike_or_too_many) {
  for (const char* name : {"hypercube:20", "torus:6x6", "ring:67108864", "twisted-torus:64x64x128"}) {
    EXPECT_FALSE(exchange_sum(name)) << name;
  }
}

}  // namespace
}  // namespace isotrope::bound
