// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/embedding.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/cartesian.hpp"
#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::graph {
namespace {

using network::Node;
using network::Rank;
using network::RankMap;
using testing::HasSubstr;

std::vector<GridAxis> grid_of(const std::vector<network::Coordinate>& extents, bool is_periodic = true) {
  std::vector<GridAxis> grid;
  for (const network::Coordinate extent : extents) grid.push_back({extent, is_periodic});
  return grid;
}

Embedding proposed(const std::vector<GridAxis>& grid, const std::string& machine) {
  return GridEmbedding(grid, network::parse_named(machine)).propose();
}

// The links of a network between nodes with other numbers.
network::NamedNetwork renumbered(const std::string& name, std::uint64_t seed) {
  const auto [network, lacks] = network::parse_named(name);
  const network::SurvivingNetwork links(network, lacks);
  std::vector<Node> numbers(network.order());
  std::iota(numbers.begin(), numbers.end(), 0);
  SplitMix random(seed);
  for (Node last = network.order() - 1; last > 0; --last)
    std::swap(numbers[last], numbers[random.below(last + 1)]);
  std::vector<network::Edge> edges;
  for (const Node node : links.nodes()) {
    links.for_each_neighbour(node, [&](network::Port, Node other) {
      if (node < other)
        edges.push_back({std::min(numbers[node], numbers[other]), std::max(numbers[node], numbers[other])});
    });
  }
  return network::from_edges(network.order(), edges);
}

// By hand: the ring 0-1-2-3-4-5 on a line; the link 5-0 is 5 long. Folded, ranks 0 5 1 4 2 3 lie side by side.
TEST(Dilation, counts_every_link_once) {
  const GridEmbedding ring(grid_of({6}), network::parse_named("line:6"));
  EXPECT_EQ(ring.dilation_of({}), (Dilation{5, 10, 6}));
  EXPECT_EQ(ring.dilation_of(RankMap({0, 2, 4, 5, 3, 1})), (Dilation{2, 10, 6}));
  EXPECT_DOUBLE_EQ(ring.dilation_of({}).mean(), 10.0 / 6);
  EXPECT_EQ(GridEmbedding(grid_of({1}), network::parse_named("ring:1")).dilation_of({}), (Dilation{0, 0, 0}));
}

TEST(Embedding, of_a_grid_on_itself_is_in_order) {
  const Embedding found = proposed(grid_of({4, 4, 4}), "torus:4x4x4");
  EXPECT_TRUE(found.ranks.is_identity());
  EXPECT_EQ(found.dilation.largest, 1U);
  EXPECT_EQ(found.way, "in order");
}

TEST(Embedding, deals_axes_out) {
  const std::vector<std::pair<std::vector<network::Coordinate>, std::string>> cases{
      {{3, 4, 5}, "torus:5x3x4"},     {{4, 8}, "hypercube:5"}, {{8, 8}, "torus:4x4x4"},
      {{64}, "torus:4x4x4"},          {{15}, "torus:3x5"},     {{12, 5}, "mesh:3x4xring:5"},
      {{16, 4}, "hypercube:6"},       {{6, 6}, "torus:2x3x6"}, {{9, 2}, "line:3xring:3xline:2"},
      {{10, 2}, "complete:10xline:2"}};
  for (const auto& [extents, machine] : cases) {
    const Embedding found = proposed(grid_of(extents), machine);
    EXPECT_EQ(found.dilation.largest, 1U) << machine;
    EXPECT_EQ(found.dilation.sum, found.dilation.links) << machine;
  }
  EXPECT_EQ(proposed(grid_of({4, 3}, false), "mesh:3x4").way, "along axes");
  EXPECT_EQ(proposed(grid_of({4, 3}, false), "mesh:3x4").dilation.largest, 1U);
}

TEST(Embedding, folds_rings_on_lines) {
  const Embedding found = proposed(grid_of({8}), "line:8");
  EXPECT_EQ(found.dilation.largest, 2U);
  EXPECT_THAT(found.why_least, HasSubstr("ranks with 2 neighbours: 8; nodes with so many neighbours: 6"));
  EXPECT_EQ(proposed(grid_of({4, 6}), "mesh:6x4").dilation.largest, 2U);
}

TEST(Embedding, of_rings_follows_cycles) {
  for (const char* machine : {"hexmesh:4", "circulant:13:2,3", "twisted-torus:4x4x8"}) {
    const network::NamedNetwork named = network::parse_named(machine);
    EXPECT_EQ(proposed(grid_of({named.network.order()}), machine).dilation.largest, 1U) << machine;
  }
}

TEST(Embedding, recognises_networks_whose_nodes_are_numbered_at_random) {
  const std::vector<std::pair<std::vector<GridAxis>, std::string>> cases{
      {grid_of({4, 4, 4}), "torus:4x4x4"},        {grid_of({5, 5, 5}), "torus:5x5x5"},
      {grid_of({3, 4, 5}), "torus:4x5x3"},        {grid_of({8, 8}, false), "mesh:8x8"},
      {{{4, false}, {8, true}}, "line:4xring:8"}, {grid_of({2, 2, 2, 2, 2, 2}), "hypercube:6"},
      {grid_of({16, 16}), "torus:16x16"},         {grid_of({8, 8, 8}), "torus:8x8x8"}};
  for (const auto& [grid, machine] : cases) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Embedding found = GridEmbedding(grid, renumbered(machine, seed)).propose();
      EXPECT_EQ(found.dilation.largest, 1U) << machine << ", seed " << seed;
    }
  }
}

// Not by search, which finds no long cycles.
TEST(Embedding, follows_the_axes_of_networks_that_are_recognised) {
  const std::vector<std::pair<std::vector<network::Coordinate>, std::string>> cases{
      {{64}, "torus:4x4x4"}, {{32, 32}, "hypercube:10"}, {{30, 4}, "torus:5x4x6"}, {{49}, "torus:7x7"}};
  for (const auto& [extents, machine] : cases) {
    const Embedding found = GridEmbedding(grid_of(extents), renumbered(machine, 4)).propose();
    EXPECT_EQ(found.dilation.largest, 1U) << machine;
  }
  EXPECT_EQ(GridEmbedding(grid_of({4, 6}), renumbered("mesh:6x4", 2)).propose().dilation.largest, 2U);
}

// The least dilation of all maps, tried one by one.
std::uint32_t least_dilation(const GridEmbedding& embedding, Node order) {
  std::vector<Node> nodes(order);
  std::iota(nodes.begin(), nodes.end(), 0);
  std::uint32_t least = order;
  do {
    least = std::min(least, embedding.dilation_of(RankMap(nodes)).largest);
  } while (std::next_permutation(nodes.begin(), nodes.end()));
  return least;
}

TEST(Embedding, is_the_least_where_all_maps_are_tried) {
  const std::vector<std::pair<std::vector<GridAxis>, std::string>> cases{{grid_of({7}), "line:7"},
                                                                         {grid_of({2, 4}), "ring:8"},
                                                                         {grid_of({8}), "line:8"},
                                                                         {grid_of({2, 2, 2}), "line:8"},
                                                                         {grid_of({2, 4}, false), "line:8"},
                                                                         {grid_of({2, 3}), "line:6"},
                                                                         {{{2, true}, {4, false}}, "ring:8"},
                                                                         {grid_of({3, 2}), "mesh:2x3"},
                                                                         {grid_of({2, 2, 2}), "ring:8"},
                                                                         {grid_of({8}), "circulant:8:1,4"}};
  for (const auto& [grid, machine] : cases) {
    const network::NamedNetwork named = network::parse_named(machine);
    const GridEmbedding embedding(grid, named);
    const Embedding found = embedding.propose();
    EXPECT_EQ(found.dilation.largest, least_dilation(embedding, named.network.order())) << machine;
    EXPECT_NE(found.why_least, "") << machine;
    EXPECT_EQ(found.dilation, embedding.dilation_of(found.ranks)) << machine;
  }
}

TEST(Embedding, claims_nothing_that_its_budget_does_not_prove) {
  const GridEmbedding embedding(grid_of({3, 4, 5}), renumbered("torus:3x4x5", 9));
  const Embedding found = embedding.propose({.comparisons = 20, .exchanges = 2000});
  EXPECT_GT(found.dilation.largest, 1U);
  EXPECT_EQ(found.why_least, "");
  EXPECT_LE(found.dilation, embedding.dilation_of({}));
}

TEST(Embedding, needs_as_many_ranks_as_nodes) {
  try {
    const GridEmbedding embedding(grid_of({4, 4}), network::parse_named("ring:15"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "a grid of 16 ranks on ring:15, which has 15 nodes: give as many ranks as nodes");
  }
  EXPECT_THROW(GridEmbedding(grid_of({8192}), network::parse_named("ring:8192")), Error);
  EXPECT_THROW(GridEmbedding(grid_of({65536, 65536, 65536}), network::parse_named("ring:8")), Error);
}

TEST(CartesianNetwork, has_the_name_of_its_axes) {
  const auto name = [](const std::vector<network::Coordinate>& extents, const std::vector<bool>& periodic) {
    return network::cartesian_network(extents, periodic).network.name();
  };
  EXPECT_EQ(name({4, 8}, {true, true}), "torus:4x8");
  EXPECT_EQ(name({4, 8}, {false, true}), "line:4xring:8");
  EXPECT_EQ(name({2, 8}, {false, true}), "torus:2x8");
  EXPECT_EQ(name({2, 1, 2}, {false, false, true}), "hypercube:2");
  EXPECT_EQ(name({}, {}), "torus:1");
}

}  // namespace
}  // namespace isotrope::graph
