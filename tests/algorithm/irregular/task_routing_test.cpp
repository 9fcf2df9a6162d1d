// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/task_routing.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Delivery;
using schedule::PortModel;

verify::Report checked(const Network& network, const std::vector<Delivery>& deliveries, PortModel ports,
                       std::uint32_t parts = 1) {
  schedule::Plan plan{network,
                      {},
                      {.collective = schedule::Collective::task, .parts = parts},
                      task_routing(network, deliveries, parts, ports),
                      {},
                      {}};
  return verify::verify(plan);
}

// Two packets share the link from 0 to 1; the one that goes on is first.
TEST(TaskRouting, lets_the_farthest_packet_go_first) {
  const Network ring = network::parse("ring:5");
  const schedule::Schedule schedule =
      task_routing(ring, std::vector<Delivery>{{0, 1}, {0, 2}}, 1, PortModel::all());
  const schedule::Rounds& rounds = schedule.stages[0].rounds;
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds.round(0)[0], (schedule::Hop{1, 0, 0}));
  EXPECT_EQ(rounds.round(0).size(), 1u);
  EXPECT_EQ(rounds.round(1).size(), 2u);
}

// Four packets to the antipode of ring:4 go both ways, two each.
TEST(TaskRouting, spreads_packets_over_shortest_paths) {
  EXPECT_EQ(checked(network::parse("ring:4"), {{0, 2, 4}}, PortModel::all()).rounds, 3u);
  EXPECT_EQ(checked(network::parse("hypercube:3"), {{0, 7, 3}}, PortModel::all()).rounds, 3u);
}

class RandomTasks : public testing::TestWithParam<const char*> {};

// A round serves a link or a node at most once, so the busiest of them is a bound; greedy rounds stay near it.
TEST_P(RandomTasks, are_delivered_by_shortest_paths_near_the_busiest_link) {
  const Network network = network::parse(GetParam());
  std::mt19937 random(1);
  for (const std::size_t count : {1u, 20u, 300u}) {
    std::vector<Delivery> deliveries;
    std::uint64_t distances = 0, farthest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Delivery delivery{static_cast<Node>(random() % network.order()),
                              static_cast<Node>(random() % network.order()),
                              static_cast<std::uint32_t>(random() % 3)};
      const std::uint64_t distance = network.distance(delivery.from, delivery.to);
      distances += distance * delivery.blocks;
      if (delivery.blocks > 0) farthest = std::max(farthest, distance);
      deliveries.push_back(delivery);
    }
    if (distances == 0) continue;
    for (const PortModel ports :
         {PortModel::all(), PortModel::ports(2), PortModel::one(), PortModel::half()}) {
      for (const std::uint32_t parts : {1u, 3u}) {
        const verify::Report report = checked(network, deliveries, ports, parts);
        EXPECT_TRUE(report.valid) << GetParam() << " " << to_string(ports);
        EXPECT_EQ(report.transmissions, distances * parts);
        EXPECT_GE(report.rounds, farthest);
        if (ports == PortModel::all() && report.busiest_link) {
          EXPECT_LE(report.rounds, *report.busiest_link + 2 * farthest) << GetParam() << " " << count;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TaskRouting, RandomTasks,
                         testing::Values("ring:9", "hypercube:5", "torus:4x6", "torus:3x3x3", "hexmesh:4",
                                         "twisted-torus:2x2x4", "circulant:13:1,5", "complete:7"));

TEST(TaskRouting, refuses_too_many_hops) {
  const Network ring = network::parse("ring:9");
  EXPECT_THROW(task_routing(ring, std::vector<Delivery>{{0, 1, UINT32_MAX}}, 2, PortModel::all()), Error);
}

}  // namespace
}  // namespace isotrope::algorithm
