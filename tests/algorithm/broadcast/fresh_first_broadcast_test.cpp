// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/fresh_first_broadcast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Port;
using schedule::Hop;
using schedule::PortModel;
using testing::UnorderedElementsAre;

verify::Report check_allgather(const Network& network, std::uint32_t parts, PortModel ports) {
  return check_on(network, "allgather", fresh_first_broadcast(network, parts, ports), 0, parts);
}

// The only way to inform two nodes a round.
TEST(FreshFirstBroadcast, goes_both_ways_round_a_ring) {
  const schedule::Schedule schedule = fresh_first_broadcast(network::parse("ring:6"), 1, PortModel::all());
  ASSERT_EQ(schedule.stages.size(), 1U);
  const schedule::Stage& stage = schedule.stages.front();
  EXPECT_EQ(stage.flow, schedule::Flow::copy);
  EXPECT_EQ(stage.replication, schedule::Replication::all());
  ASSERT_EQ(stage.rounds.size(), 3U);
  EXPECT_THAT(stage.rounds.round(0), UnorderedElementsAre(Hop{0, 0, 0}, Hop{0, 0, 1}));
  EXPECT_THAT(stage.rounds.round(1), UnorderedElementsAre(Hop{0, 1, 0}, Hop{0, 5, 1}));
  EXPECT_EQ(stage.rounds.round(2).size(), 1U);
}

// The counts of ceil((N-1) P / k), by hand.
TEST(FreshFirstBroadcast, takes_known_numbers_of_rounds) {
  const auto rounds = [](const char* name, std::uint32_t parts, PortModel ports) {
    return fresh_first_broadcast(network::parse(name), parts, ports).round_count();
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

TEST(FreshFirstBroadcast, meets_the_bound_on_every_family) {
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    const verify::Report report = check_allgather(network, 1, PortModel::all());
    EXPECT_TRUE(report.optimal) << name << " " << report.rounds;
    EXPECT_EQ(report.transmissions, std::uint64_t{network.order()} * (network.order() - 1)) << name;
    if (network.order() == 1) continue;
    const std::uint64_t rounds = (network.order() - 2) / network.degree() + 1;
    EXPECT_EQ(report.rounds, std::max<std::uint64_t>(rounds, network.diameter())) << name;
  }
}

TEST(FreshFirstBroadcast, meets_the_bound_for_parts_and_ports) {
  for (const char* name :
       {"ring:9", "hypercube:6", "torus:2x2", "torus:3x4", "torus:3x6", "torus:4x6", "torus:3x20",
        "torus:3x4x5", "hexmesh:3", "twisted-torus:4x8", "complete:6", "circulant:27:1,6,11,13"}) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : {1U, 2U, 3U, 16U}) {
      std::vector<PortModel> models{PortModel::all(), PortModel::one()};
      for (Port k = 2; k <= network.degree(); ++k) models.push_back(PortModel::ports(k));
      for (const PortModel ports : models) {
        const verify::Report report = check_allgather(network, parts, ports);
        EXPECT_TRUE(report.optimal) << name << " " << parts << " " << to_string(ports);
      }
    }
  }
}

// Three full rounds but one link would be needed, and no search finds them.
TEST(FreshFirstBroadcast, returns_the_best_found_where_none_meets_the_bound) {
  const Network network = network::parse("cayley:3x10:0,7/0,3/0,2/0,8/1,7/2,3/2,0/1,0/1,3/2,7");
  const verify::Report report = check_allgather(network, 1, PortModel::all());
  EXPECT_TRUE(report.valid);
  EXPECT_EQ(report.bound.value, 3U);
  EXPECT_EQ(report.rounds, 4U);
}

TEST(FreshFirstBroadcast, gives_the_same_schedule_every_time) {
  const Network network = network::parse("torus:4x5x6");
  EXPECT_EQ(fresh_first_broadcast(network, 2, PortModel::ports(5)),
            fresh_first_broadcast(network, 2, PortModel::ports(5)));
}

}  // namespace
}  // namespace isotrope::algorithm
