// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/node_places.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NodePlaces, of_one_rank_a_node_are_the_nodes) {
  const NamedNetwork nodes = parse_named("line:4xring:5");
  const NamedNetwork places = network_of_places(nodes, 1);
  EXPECT_TRUE(same_network(places.network, nodes.network));
  EXPECT_EQ(places.lacks, nodes.lacks);
}

TEST(NodePlaces, are_the_product_of_the_same_name) {
  for (const std::string name : {"torus:4x4", "line:3xring:5", "hypercube:3", "hexmesh:3", "torus:4x4@2,1",
                                 "line:4xring:8@2", "twisted-torus:2x4", "complete:3", "line:5"}) {
    for (const std::uint32_t ranks : {2U, 3U, 5U}) {
      const NamedNetwork places = network_of_places(parse_named(name), ranks);
      const NamedNetwork named = parse_named(name + "xcomplete:" + std::to_string(ranks));
      EXPECT_TRUE(same_network(places.network, named.network)) << name;
      EXPECT_EQ(places.network.name(), named.network.name());
      EXPECT_EQ(places.lacks, named.lacks) << name;
    }
  }
}

// Between two places of different nodes there is a link if they are the same rank of nodes with a link, and all places of a
// node that is left are joined.
void expect_lanes(const NamedNetwork& nodes, std::uint32_t ranks) {
  const SurvivingNetwork left(nodes.network, nodes.lacks);
  const NamedNetwork named = network_of_places(nodes, ranks);
  const SurvivingNetwork places(named.network, named.lacks);
  EXPECT_EQ(places.nodes().size(), left.nodes().size() * ranks);
  for (const Node node : left.nodes()) {
    std::vector<Node> neighbours;
    left.for_each_neighbour(node, [&](Port, Node neighbour) { neighbours.push_back(neighbour); });
    for (std::uint32_t k = 0; k < ranks; ++k) {
      std::vector<Node> expected, found;
      for (const Node neighbour : neighbours) expected.push_back(neighbour * ranks + k);
      for (std::uint32_t other = 0; other < ranks; ++other) {
        if (other != k) expected.push_back(node * ranks + other);
      }
      places.for_each_neighbour(node * ranks + k, [&](Port, Node neighbour) { found.push_back(neighbour); });
      EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected)) << node << " " << k;
    }
  }
}

TEST(NodePlaces, have_the_failures_of_the_nodes_in_all_lanes) {
  NamedNetwork torus = parse_named("line:4xring:5");
  torus.lacks.nodes = {7};
  torus.lacks.links = parse_failed_links("0-1,2:2", torus.network, torus.lacks);
  expect_lanes(torus, 3);
  NamedNetwork fast = parse_named("ring:5@2");
  fast.lacks.links = parse_failed_links("0:0", fast.network);
  expect_lanes(fast, 2);
}

TEST(NodePlaces, have_lanes_of_listed_links) {
  NamedNetwork star{parse("complete:4@2"), {}};
  star.lacks.edges = {{0, 1}, {0, 2}, {0, 2}, {0, 3}};
  star.lacks.edge_times = {{{0, 1}, 1e-6}, {{0, 3}, 2e-6}};
  expect_lanes(star, 3);
  EXPECT_THAT(network_of_places(star, 2).lacks.edge_times,
              ElementsAre(EdgeTimes{{0, 2}, 1e-6}, EdgeTimes{{0, 6}, 2e-6}, EdgeTimes{{1, 3}, 1e-6},
                          EdgeTimes{{1, 7}, 2e-6}));
}

// What is listed is what there was.
TEST(NodePlaces, list_links_that_are_not_alike_along_their_axis) {
  NamedNetwork ring = parse_named("ring:4");
  EXPECT_THAT(network_of_places(ring, 2).lacks.edges, IsEmpty());
  ring.lacks.edge_times = {{{0, 1}, 1e-6}};
  EXPECT_THAT(network_of_places(ring, 2).lacks.edges,
              ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{0, 6}, Edge{1, 3}, Edge{1, 7}, Edge{2, 3}, Edge{2, 4},
                          Edge{3, 5}, Edge{4, 5}, Edge{4, 6}, Edge{5, 7}, Edge{6, 7}));
  expect_lanes(ring, 3);
  const NamedNetwork circulant = parse_named("circulant:7:1,2");
  const std::vector<std::uint32_t> rates{2, 2, 1, 1};
  const NamedNetwork fast{with_rates("circulant", circulant.network, rates), {}};
  EXPECT_FALSE(network_of_places(fast, 2).lacks.edges.empty());
  expect_lanes(fast, 2);
}

std::vector<Node> places(const std::vector<Node>& nodes, std::uint32_t ranks) {
  return places_of_ranks(nodes, ranks).nodes(static_cast<Node>(nodes.size()));
}

TEST(PlacesOfRanks, are_in_the_order_of_ranks_in_every_node) {
  EXPECT_THAT(places({1, 0, 1, 0}, 2), ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(places({0, 1, 2, 0, 1, 2}, 2), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_THAT(places({2, 0, 1}, 1), ElementsAre(2, 0, 1));
  EXPECT_TRUE(places_of_ranks(std::vector<Node>{0, 0, 0, 1, 1, 1}, 3).is_identity());
}

TEST(PlacesOfRanks, need_every_node_equally_often) {
  for (const auto& nodes : {std::vector<Node>{0, 0, 0, 1}, {0, 1, 2}, {0, 0, 2, 2}, {0, 0, 1}}) {
    EXPECT_THAT([&] { places_of_ranks(nodes, 2); },
                testing::ThrowsMessage<Error>(HasSubstr("2 in each node, need every node 0..")));
  }
}

TEST(HostNodes, are_numbered_by_their_lowest_ranks) {
  const auto by_slot = nodes_of_hosts(std::vector<std::uint32_t>{9, 9, 4, 4});
  EXPECT_THAT(by_slot.nodes, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(by_slot.ranks_per_node(), 2U);
  const auto by_node = nodes_of_hosts(std::vector<std::uint32_t>{9, 4, 9, 4});
  EXPECT_THAT(by_node.nodes, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(places(by_node.nodes, 2), ElementsAre(0, 2, 1, 3));
  const auto shuffled = nodes_of_hosts(std::vector<std::uint32_t>{5, 0, 7, 7, 5, 0});
  EXPECT_THAT(shuffled.nodes, ElementsAre(0, 1, 2, 2, 0, 1));
  EXPECT_THAT(places(shuffled.nodes, shuffled.ranks_per_node()), ElementsAre(0, 2, 4, 5, 1, 3));
}

TEST(HostNodes, may_have_unlike_numbers_of_ranks) {
  const auto found = nodes_of_hosts(std::vector<std::uint32_t>{0, 0, 0, 1, 1, 2, 2, 2, 2});
  EXPECT_THAT(found.ranks, ElementsAre(3, 2, 4));
  EXPECT_EQ(found.ranks_per_node(), 0U);
  EXPECT_EQ(nodes_of_hosts({}).ranks_per_node(), 0U);
  EXPECT_THAT(nodes_of_hosts({}).nodes, IsEmpty());
}

}  // namespace
}  // namespace isotrope::network
