// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_relations.hpp"

#include <cstdlib>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using testing::ElementsAre;

// Where signed hops lead from node 0.
Node end_of(const Network& network, std::span<const std::int32_t> hops) {
  Node node = 0;
  const auto pairs = opposite_pairs(network);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (std::int32_t i = 0; i < std::abs(hops[p]); ++i) {
      node = network.neighbour(node, hops[p] > 0 ? pairs[p].forward : pairs[p].backward);
    }
  }
  return node;
}

bool contains(const std::vector<Relation>& relations, const std::vector<std::int32_t>& hops) {
  for (const Relation& relation : relations) {
    std::vector<std::int32_t> dense(hops.size(), 0);
    take(dense, relation, 1);
    if (dense == hops) return true;
  }
  return false;
}

TEST(RouteRelations, keep_a_matrix_as_it_is) {
  const Network network = network::parse("circulant:8:1,4");
  TaskMatrix matrix(3);
  matrix.add(1, 2);
  matrix.add(2, 1);
  matrix.close_row();
  matrix.close_row();
  const SignedRoutes routes(opposite_pairs(network), matrix);
  EXPECT_THAT(routes.row(0), ElementsAre(-2, 1));
  EXPECT_THAT(routes.row(1), ElementsAre(0, 0));
  EXPECT_THAT(routes.matrix().column_sums(), ElementsAre(0, 2, 1));
}

// Two hops of 1 are one of 2; 13 = 1 + 6 * 2.
TEST(RouteRelations, of_a_circulant_graph_by_hand) {
  const auto relations = find_relations(network::parse("circulant:13:1,2"), {1, 1});
  EXPECT_TRUE(contains(relations, {2, -1}));
  EXPECT_TRUE(contains(relations, {1, 6}));
}

TEST(RouteRelations, lengthen_a_row_by_its_detour) {
  const Relation relation{{0, 2}, {1, -1}};
  std::vector<std::int32_t> row{0, 1};
  EXPECT_EQ(detour(row, relation, 1, {1, 1}), 1);
  EXPECT_EQ(detour(row, relation, 1, {1, 2}), 0);
  EXPECT_EQ(detour(row, relation, -1, {1, 2}), 4);
  take(row, relation, 1);
  EXPECT_THAT(row, ElementsAre(2, 0));
}

TEST(RouteRelations, lead_back_to_where_they_begin) {
  for (const char* name : {"ring:6", "torus:3x4", "hexmesh:3", "circulant:31:1,3,5", "twisted-torus:4x4x8",
                           "complete:6", "cayley:4x2:1,0/3,0/2,1/0,1"}) {
    const Network network = network::parse(name);
    const std::size_t pairs = opposite_pairs(network).size();
    const auto relations = find_relations(network, PairWeights(pairs, 1));
    EXPECT_FALSE(relations.empty()) << name;
    EXPECT_LE(relations.size(), 64) << name;
    for (const Relation& relation : relations) {
      std::vector<std::int32_t> hops(pairs, 0);
      take(hops, relation, 1);
      EXPECT_EQ(end_of(network, hops), 0) << name;
    }
  }
}

// With weights 1 and 2 every route of circulant:13:1,2 may be shortened to |v|.
TEST(RouteRelations, shorten_routes_to_their_weighted_distance) {
  const Network network = network::parse("circulant:13:1,2");
  const PairWeights weights{1, 2};
  TaskMatrix matrix(4);
  for (std::uint32_t v = 1; v < 13; ++v) {
    matrix.add(2, 7 * v % 13);  // 7 * 2 = 1
    matrix.close_row();
  }
  SignedRoutes routes(opposite_pairs(network), matrix);
  shorten(routes, find_relations(network, weights), weights);
  for (std::uint32_t v = 1; v < 13; ++v) {
    const auto row = routes.row(v - 1);
    EXPECT_EQ(end_of(network, row), v);
    EXPECT_EQ(std::abs(row[0]) + 2 * std::abs(row[1]), static_cast<std::int32_t>(std::min(v, 13 - v))) << v;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
