// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/task_routing.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Delivery;
using schedule::PortModel;

constexpr SearchLimits one_try{.runs = 1};

verify::Report checked(const Network& network, const std::vector<Delivery>& deliveries, PortModel ports,
                       std::uint32_t parts = 1, const SearchLimits& limits = one_try) {
  schedule::Plan plan{network,
                      {},
                      {.collective = schedule::Collective::task, .parts = parts},
                      task_routing({network, {}}, deliveries, parts, ports, limits),
                      {},
                      {}};
  return verify::verify(plan);
}

// Two packets share the link from 0 to 1; the one that goes on is first.
TEST(TaskRouting, lets_the_farthest_packet_go_first) {
  const Network ring = network::parse("ring:5");
  const schedule::Schedule schedule =
      task_routing({ring, {}}, std::vector<Delivery>{{0, 1}, {0, 2}}, 1, PortModel::all(), one_try);
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
  EXPECT_THROW(
      task_routing({ring, {}}, std::vector<Delivery>{{0, 1, UINT32_MAX}}, 2, PortModel::all(), one_try),
      Error);
  // 1,000 blocks over 500 links, and 269 parts.
  const Network long_ring = network::parse("ring:1000");
  EXPECT_THROW(
      task_routing({long_ring, {}}, std::vector<Delivery>{{0, 500, 1000}}, 269, PortModel::all(), one_try),
      Error);
}

// Blocks go round the other way, and wait less: exhaustion finds no fewer than 4 rounds.
TEST(TaskRouting, finds_detours_on_a_ring) {
  const std::vector<Delivery> deliveries{{0, 2}, {0, 3}, {1, 3}, {1, 4, 2}, {3, 0}, {4, 0}, {4, 1, 5}};
  EXPECT_EQ(checked(network::parse("ring:5"), deliveries, PortModel::all(), 1, {.target = 4}).rounds, 4U);
}

// The same tasks under every port model: the search takes fewer rounds, no bound exceeds them, and the mean is near.
TEST(TaskRouting, is_near_the_bound_after_a_search) {
  std::mt19937 random(5);
  std::uint64_t once = 0, searched = 0, bounds = 0;
  for (const char* name :
       {"ring:8", "torus:3x4", "hypercube:3", "hexmesh:3", "circulant:13:1,5", "complete:6"}) {
    const Network network = network::parse(name);
    std::vector<Delivery> deliveries;
    for (int i = 0; i < 12; ++i) {
      deliveries.push_back({static_cast<Node>(random() % network.order()),
                            static_cast<Node>(random() % network.order()),
                            1 + static_cast<std::uint32_t>(random() % 4)});
    }
    for (const PortModel ports :
         {PortModel::all(), PortModel::ports(2), PortModel::one(), PortModel::half()}) {
      const std::uint64_t bound =
          bound::lower_bounds({.network = network,
                               .task = {.collective = schedule::Collective::task, .deliveries = deliveries},
                               .ports = ports})
              .front()
              .value;
      const verify::Report found = checked(network, deliveries, ports, 1, {.target = bound});
      EXPECT_GE(found.rounds, bound) << name << " " << to_string(ports);
      EXPECT_TRUE(found.valid) << name << " " << to_string(ports);
      once += checked(network, deliveries, ports).rounds;
      searched += found.rounds;
      bounds += bound;
    }
  }
  EXPECT_LT(10 * searched, 9 * once);
  EXPECT_LE(10 * searched, 12 * bounds);
}

}  // namespace
}  // namespace isotrope::algorithm
