// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/split_axes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

std::optional<SplitTorus> split(const char* name) {
  const NamedNetwork named = parse_named(name);
  return split_torus(named.network, named.lacks);
}

// By level: extent and stride of every axis.
using Levels = std::vector<std::vector<std::pair<Coordinate, Node>>>;

Levels levels_of(const SplitTorus& torus) {
  Levels result;
  for (const auto& level : torus.levels) {
    result.emplace_back();
    for (const TorusAxis& axis : level)
      result.back().emplace_back(axis.extent, torus.network.generators()[axis.forward]);
  }
  return result;
}

TEST(SplitAxes, are_the_axes_of_a_whole_torus) {
  for (const char* name : {"torus:3x4", "hypercube:3", "ring:9", "torus:4x1x2"}) {
    const auto torus = split(name);
    ASSERT_TRUE(torus) << name;
    EXPECT_TRUE(same_network(torus->network, parse(name))) << name;
    ASSERT_EQ(torus->levels.size(), 1) << name;
    EXPECT_EQ(torus->levels.front().size(), torus_axes(parse(name))->size()) << name;
  }
  for (const char* name : {"hexmesh:3", "complete:5", "twisted-torus:4x8"}) EXPECT_FALSE(split(name)) << name;
}

// The nearest factor is the largest prime, and comes first.
TEST(SplitAxes, of_open_axes_are_prime_factors) {
  EXPECT_EQ(levels_of(*split("line:8")), (Levels{{{2, 1}}, {{2, 2}}, {{2, 4}}}));
  EXPECT_EQ(levels_of(*split("line:12")), (Levels{{{3, 1}}, {{2, 3}}, {{2, 6}}}));
  EXPECT_EQ(levels_of(*split("line:7")), (Levels{{{7, 1}}}));
  EXPECT_EQ(levels_of(*split("mesh:4x6")), (Levels{{{2, 6}, {3, 1}}, {{2, 12}, {2, 3}}}));
  EXPECT_EQ(levels_of(*split("line:4xring:6")), (Levels{{{2, 6}, {6, 1}}, {{2, 12}}}));
  EXPECT_EQ(levels_of(*split("line:4xcomplete:4")), (Levels{{{2, 4}, {4, 1}}, {{2, 8}}}));
}

TEST(SplitAxes, of_listed_edges_are_those_of_a_line) {
  Failures lacks;
  lacks.edges = {{0, 1}};
  EXPECT_EQ(levels_of(*split_torus(parse("complete:12"), lacks)), (Levels{{{3, 1}}, {{2, 3}}, {{2, 6}}}));
}

TEST(SplitAxes, stay_whole_around_failed_links) {
  Failures failed;
  failed.links = {{0, 0}};
  EXPECT_TRUE(same_network(split_torus(parse("torus:4x4"), failed)->network, parse("torus:4x4")));
  EXPECT_FALSE(split_torus(parse("hexmesh:3"), failed));
}

// Without a carry no message leads farther than the line.
TEST(SplitAxes, keep_the_numbers_of_nodes) {
  const auto torus = split("line:12");
  for (const auto& [extent, stride] : {std::pair{3U, 1U}, {2U, 3U}, {2U, 6U}}) {
    for (Node node = 0; node < 12; ++node) {
      const bool is_last = node / stride % extent == extent - 1;
      EXPECT_EQ(torus->network.group().add(node, stride),
                is_last ? node - (extent - 1) * stride : node + stride);
    }
  }
}

}  // namespace
}  // namespace isotrope::network
