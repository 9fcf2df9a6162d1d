// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/shortest_paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::graph {
namespace {

SurvivingNetwork network_of(const std::string& name, std::vector<Node> failed = {}) {
  auto [network, lacks] = network::parse_named(name);
  lacks.nodes = std::move(failed);
  return {network, lacks};
}

// Follows every walk of `hops` hops from a node.
std::uint64_t count_walks(const SurvivingNetwork& network, Node from, Node to, std::uint32_t hops) {
  if (hops == 0) return from == to ? 1 : 0;
  std::uint64_t result = 0;
  network.for_each_neighbour(
      from, [&](Port, Node neighbour) { result += count_walks(network, neighbour, to, hops - 1); });
  return result;
}

// The shortest walk is the first there is.
void expect_same_as_by_walks(const SurvivingNetwork& network) {
  ShortestPaths by_walks{.fewest = UINT64_MAX};
  double pairs = 0;
  for (const Node from : network.nodes()) {
    for (const Node to : network.nodes()) {
      if (from == to) continue;
      std::uint32_t length = 1;
      std::uint64_t paths = 0;
      while ((paths = count_walks(network, from, to, length)) == 0) ++length;
      ++pairs;
      by_walks.longest = std::max(by_walks.longest, length);
      by_walks.mean_length += length;
      by_walks.fewest = std::min(by_walks.fewest, paths);
      by_walks.most = std::max(by_walks.most, paths);
      by_walks.mean_number += static_cast<double>(paths);
    }
  }
  const ShortestPaths found = shortest_paths(network, network.nodes());
  EXPECT_EQ(found.longest, by_walks.longest);
  EXPECT_EQ(found.fewest, by_walks.fewest);
  EXPECT_EQ(found.most, by_walks.most);
  EXPECT_DOUBLE_EQ(found.mean_length, by_walks.mean_length / pairs);
  EXPECT_DOUBLE_EQ(found.mean_number, by_walks.mean_number / pairs);
}

// (1,1) by 2 paths, (2,0) by 2, (2,1) by 3 orders on 2 sides, (2,2) by 6 orders on 4 sides.
TEST(ShortestPaths, of_torus_4x4) {
  const ShortestPaths paths = shortest_paths(network_of("torus:4x4"), std::array{Node{0}});
  EXPECT_EQ(paths.longest, 4u);
  EXPECT_EQ(paths.fewest, 1u);
  EXPECT_EQ(paths.most, 24u);
  EXPECT_DOUBLE_EQ(paths.mean_number, (4 * 1 + 4 * 2 + 2 * 2 + 4 * 6 + 24) / 15.0);
}

// From corner to corner by C(6, 3) paths.
TEST(ShortestPaths, of_mesh_4x4) {
  const SurvivingNetwork mesh = network_of("mesh:4x4");
  EXPECT_EQ(shortest_paths(mesh, mesh.nodes()).most, 20u);
}

TEST(ShortestPaths, of_small_networks_are_those_found_by_walks) {
  for (const char* name : {"ring:5", "complete:6", "hypercube:3", "torus:3x4", "mesh:3x4", "hexmesh:3",
                           "circulant:11:1,3", "line:3xcomplete:3", "twisted-torus:2x2x4"}) {
    SCOPED_TRACE(name);
    expect_same_as_by_walks(network_of(name));
    expect_same_as_by_walks(network_of(name, {1}));
  }
  expect_same_as_by_walks(network_of("line:6"));
}

RC_GTEST_PROP(ShortestPaths, are_the_same_from_every_node_of_a_symmetric_network, ()) {
  const auto name =
      *rc::gen::element<std::string>("torus:3x5x4", "hexmesh:4", "hypercube:5", "circulant:30:1,7");
  const SurvivingNetwork network = network_of(name);
  const Node node = *rc::gen::inRange<Node>(0, network.whole().order());
  const ShortestPaths all = shortest_paths(network, network.nodes());
  const ShortestPaths one = shortest_paths(network, std::array{node});
  RC_ASSERT(all.longest == one.longest);
  RC_ASSERT(all.most == one.most && all.fewest == one.fewest);
  RC_ASSERT(std::abs(all.mean_number - one.mean_number) < 1e-9 * one.mean_number);
}

// C(66, 33) fits into 64 bits, C(68, 34) does not.
TEST(ShortestPaths, say_where_there_are_too_many) {
  EXPECT_EQ(shortest_paths(network_of("mesh:34x34"), std::array{Node{0}}).most, 7219428434016265740u);
  const ShortestPaths more = shortest_paths(network_of("mesh:35x35"), std::array{Node{0}});
  EXPECT_EQ(more.most, too_many_paths);
  EXPECT_GT(more.mean_number, 1e16);
}

TEST(ShortestPaths, of_a_single_node_are_none) {
  EXPECT_EQ(shortest_paths(network_of("torus:1"), std::array{Node{0}}).most, 0u);
}

}  // namespace
}  // namespace isotrope::graph
