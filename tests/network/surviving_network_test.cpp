// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/surviving_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Without the link 0-1 a ring is a path, without node 3 a shorter one.
TEST(SurvivingNetwork, searches_ways_around) {
  const SurvivingNetwork path(parse("ring:5"), {{}, {{0, 0}}});
  EXPECT_THAT(path.distances(0), ElementsAre(0u, 4u, 3u, 2u, 1u));
  EXPECT_EQ(path.links(), 4u);
  EXPECT_FALSE(path.carries(0, 0));
  EXPECT_FALSE(path.carries(1, 1));
  EXPECT_TRUE(path.carries(1, 0));

  const SurvivingNetwork parts(parse("ring:5"), {{3}, {{0, 0}}});
  EXPECT_THAT(parts.nodes(), ElementsAre(0u, 1u, 2u, 4u));
  EXPECT_THAT(parts.distances(0), ElementsAre(0u, unreachable, unreachable, unreachable, 1u));
  EXPECT_THAT(parts.cut_off(0), ElementsAre(1u, 2u));
  EXPECT_THAT(parts.cut_off(1), ElementsAre(0u, 4u));
  EXPECT_EQ(parts.degree(0), 1u);
  EXPECT_EQ(parts.links(), 2u);
}

TEST(SurvivingNetwork, without_failures_is_the_network) {
  for (const char* name :
       {"hypercube:5", "torus:4x5", "hexmesh:4", "circulant:13:1,5", "complete:6", "ring:1"}) {
    const Network network = parse(name);
    const SurvivingNetwork same(network, {});
    EXPECT_EQ(same.links(), network.directed_links() / 2) << name;
    EXPECT_THAT(same.cut_off(0), IsEmpty()) << name;
    for (Node from = 0; from < network.order(); ++from) {
      const auto distances = same.distances(from);
      for (Node to = 0; to < network.order(); ++to) EXPECT_EQ(distances[to], network.distance(from, to));
    }
  }
}

// A star is a complete network without the links between its points.
TEST(SurvivingNetwork, can_be_any_graph) {
  const Network complete = parse("complete:5");
  Failures failed;
  for (Node a = 1; a < 5; ++a) {
    for (Port port = 0; port < complete.degree(); ++port) {
      if (complete.neighbour(a, port) != 0) failed.links.push_back({a, port});
    }
  }
  const SurvivingNetwork star(complete, failed);
  EXPECT_EQ(star.links(), 4u);
  EXPECT_EQ(star.degree(0), 4u);
  EXPECT_THAT(star.distances(2), ElementsAre(1u, 2u, 0u, 2u, 2u));
}

TEST(SurvivingNetwork, refuses_what_is_not_there) {
  EXPECT_THROW(SurvivingNetwork(parse("ring:5"), {{5}, {}}), Error);
  EXPECT_THROW(SurvivingNetwork(parse("ring:5"), {{}, {{0, 2}}}), Error);
  EXPECT_THROW(SurvivingNetwork(parse("ring:3"), {{0, 1, 2}, {}}), Error);
}

}  // namespace
}  // namespace isotrope::network
