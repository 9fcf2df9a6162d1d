// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/edge_list.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::set<Edge> edges_of(const NamedNetwork& named) {
  const SurvivingNetwork network(named.network, named.lacks);
  std::set<Edge> result;
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port, Node neighbour) {
      result.insert({std::min(node, neighbour), std::max(node, neighbour)});
    });
  }
  return result;
}

TEST(EdgeList, of_a_path_is_a_ring_without_a_link) {
  const NamedNetwork path = from_edges(4, {{2, 3}, {1, 0}, {1, 2}});

  EXPECT_EQ(path.network.name(), "circulant:4:1");
  EXPECT_EQ(path.lacks.edges, (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(EdgeList, of_a_circulant_graph_lacks_nothing) {
  const NamedNetwork ring = from_edges(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(ring.network.name(), "circulant:5:1");
  EXPECT_TRUE(ring.lacks.empty());

  EXPECT_EQ(from_edges(1, {}).network.order(), 1);
  EXPECT_TRUE(from_edges(2, {{0, 1}}).lacks.empty());
}

TEST(EdgeList, with_edges_alike_has_links_side_by_side) {
  const NamedNetwork path = from_edges(3, {{0, 1}, {1, 2}, {1, 0}});
  EXPECT_EQ(path.network.name(), "circulant:3:1@2");
  const SurvivingNetwork network(path.network, path.lacks);
  EXPECT_EQ(network.degree(0), 2U);
  EXPECT_EQ(network.degree(1), 3U);
  EXPECT_EQ(network.degree(2), 1U);
  EXPECT_EQ(network.links(), 3U);
}

TEST(EdgeList, gives_the_graph) {
  EXPECT_TRUE(rc::check("random connected graphs", [] {
    const auto order = *rc::gen::inRange<Node>(1, 40);
    std::set<Edge> edges;
    for (Node high = 1; high < order; ++high) edges.insert({*rc::gen::inRange<Node>(0, high), high});
    const auto more = order > 1 ? *rc::gen::inRange(0, 60) : 0;
    for (int i = 0; i < more; ++i) {
      const auto low = *rc::gen::inRange<Node>(0, order - 1);
      edges.insert({low, *rc::gen::inRange<Node>(low + 1, order)});
    }
    std::vector<Edge> shuffled(edges.begin(), edges.end());
    std::ranges::shuffle(shuffled, std::mt19937(*rc::gen::arbitrary<std::uint32_t>()));
    RC_ASSERT(edges_of(from_edges(order, shuffled)) == edges);
  }));
}

TEST(EdgeList, refuses_what_is_no_network) {
  const auto message = [](Node order, std::vector<Edge> edges, const char* part) {
    EXPECT_THAT([&] { from_edges(order, edges); }, ThrowsMessage<Error>(HasSubstr(part)));
  };
  message(0, {}, "0 nodes: a network that is given by its edges has 1 to 16384");
  message(16385, {}, "16385 nodes");
  message(3, {{0, 1}, {1, 1}, {1, 2}}, "edge 1-1: it leads from a node to itself");
  message(3, {{0, 1}, {1, 3}}, "edge 1-3: the nodes are 0..2");
  message(2, std::vector<Edge>(65, Edge{0, 1}), "edge 0-1: a rate above 64");
  message(4, {{0, 1}, {2, 3}}, "no path leads from node 0 to node 2 and 1 more");
  message(2, {}, "2 nodes and no link");
}

}  // namespace
}  // namespace isotrope::network
