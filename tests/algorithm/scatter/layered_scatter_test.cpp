// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/layered_scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PortModel;
using testing::UnorderedElementsAre;

verify::Report check_scatter(const Network& network, Node root, std::uint32_t parts, PortModel ports) {
  return check_on(network, "scatter", layered_scatter(network, root, parts, ports), root, parts);
}

// From node 1 of a ring of 5, packet = relative destination: 2 and 3 leave first, 1 and 4 follow.
TEST(LayeredScatter, sends_the_farthest_first) {
  const schedule::Schedule schedule = layered_scatter(network::parse("ring:5"), 1, 1, PortModel::all());
  ASSERT_EQ(schedule.stages.size(), 1U);
  const schedule::Stage& stage = schedule.stages.front();
  EXPECT_EQ(stage.flow, schedule::Flow::move);
  EXPECT_EQ(stage.replication, schedule::Replication::none());
  ASSERT_EQ(stage.rounds.size(), 2U);
  EXPECT_THAT(stage.rounds.round(0), UnorderedElementsAre(Hop{2, 1, 0}, Hop{3, 1, 1}));
  EXPECT_THAT(stage.rounds.round(1),
              UnorderedElementsAre(Hop{1, 1, 0}, Hop{2, 2, 0}, Hop{4, 1, 1}, Hop{3, 0, 1}));
}

// The counts of ceil((N-1) P / k), by hand.
TEST(LayeredScatter, takes_known_numbers_of_rounds) {
  const auto rounds = [](const char* name, std::uint32_t parts, PortModel ports) {
    return layered_scatter(network::parse(name), 0, parts, ports).round_count();
  };
  EXPECT_EQ(rounds("ring:1", 3, PortModel::all()), 0U);
  EXPECT_EQ(rounds("complete:8", 1, PortModel::all()), 1U);
  EXPECT_EQ(rounds("complete:8", 3, PortModel::ports(2)), 11U);
  EXPECT_EQ(rounds("hypercube:2", 1, PortModel::all()), 2U);
  EXPECT_EQ(rounds("hypercube:2", 2, PortModel::all()), 3U);  // the parts share the middle round
  EXPECT_EQ(rounds("torus:3x3", 1, PortModel::ports(3)), 3U);
  EXPECT_EQ(rounds("torus:3x3", 1, PortModel::one()), 8U);
  EXPECT_EQ(rounds("hexmesh:4", 1, PortModel::all()), 6U);  // n (n-1) / 2
}

TEST(LayeredScatter, meets_the_bound_on_every_family) {
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    const Node root = network.order() - 1;
    const verify::Report report = check_scatter(network, root, 1, PortModel::all());
    EXPECT_TRUE(report.optimal) << name << " " << report.rounds;
    EXPECT_EQ(report.transmissions, network.distance_sum()) << name;
    if (network.order() == 1) continue;
    const std::uint64_t rounds = (network.order() - 2) / network.degree() + 1;
    EXPECT_EQ(report.rounds, std::max<std::uint64_t>(rounds, network.diameter())) << name;
  }
}

TEST(LayeredScatter, meets_the_bound_for_parts_and_ports) {
  for (const char* name :
       {"ring:9", "hypercube:6", "torus:2x2", "torus:3x4", "torus:3x6", "torus:4x6", "torus:3x20",
        "torus:3x4x5", "hexmesh:3", "twisted-torus:4x8", "complete:6", "circulant:27:1,6,11,13"}) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : {1U, 2U, 3U, 16U}) {
      std::vector<PortModel> models{PortModel::all(), PortModel::one()};
      for (Port k = 2; k <= network.degree(); ++k) models.push_back(PortModel::ports(k));
      for (const PortModel ports : models) {
        const verify::Report report = check_scatter(network, network.order() / 2, parts, ports);
        EXPECT_TRUE(report.optimal) << name << " " << parts << " " << to_string(ports);
        EXPECT_EQ(report.transmissions, network.distance_sum() * parts);
      }
    }
  }
}

TEST(LayeredScatter, meets_the_bound_for_two_and_three_parts) {
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : {2U, 3U}) {
      if (network.order() > 500) continue;
      EXPECT_TRUE(check_scatter(network, 0, parts, PortModel::all()).optimal) << name << " " << parts;
    }
  }
}

// No shortest paths share the links more evenly.
TEST(LayeredScatter, takes_what_shortest_paths_allow_where_ports_are_unlike) {
  for (const char* name : {"circulant:15:3,5,7", "circulant:18:1,6,11,13", "cayley:196:148/48/185/11/159/37",
                           "cayley:5x6x8:0,0,4/4,1,1/1,5,7/1,2,5/4,4,3"}) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : {1U, 2U, 3U}) {
      const verify::Report report = check_scatter(network, 0, parts, PortModel::all());
      EXPECT_TRUE(report.valid) << name;
      EXPECT_EQ(report.rounds, least_largest_subtree(network, parts)) << name << " " << parts;
    }
  }
}

// Many parts even out but for a round or two, here with N - 1 a multiple of the degree.
TEST(LayeredScatter, stays_near_the_bound_for_many_parts) {
  for (const char* name : {"circulant:16:1,5", "circulant:23:1,4,6", "circulant:28:1,2,4,8"}) {
    const verify::Report report = check_scatter(network::parse(name), 0, 16, PortModel::all());
    EXPECT_TRUE(report.valid) << name;
    EXPECT_LE(report.rounds, report.bound.value + 2) << name;
  }
}

TEST(LayeredScatter, gives_the_same_schedule_every_time) {
  const Network network = network::parse("torus:4x5x6");
  EXPECT_EQ(layered_scatter(network, 3, 2, PortModel::ports(5)),
            layered_scatter(network, 3, 2, PortModel::ports(5)));
}

}  // namespace
}  // namespace isotrope::algorithm
