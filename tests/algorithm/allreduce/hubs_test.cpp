// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces over hubs, proved by the checker.
#include "isotrope/algorithm/allreduce/hubs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::Plan;
using testing::IsEmpty;

constexpr std::uint64_t many_hops = std::uint64_t{1} << 19;

Plan plan_over_hubs(const Network& network, const HubShape& shape) {
  Plan plan{.network = network,
            .failed = {},
            .task = {.collective = schedule::Collective::allreduce, .parts = hub_slices(network, shape)},
            .schedule = hub_allreduce(network, shape),
            .bound = {},
            .claims = {}};
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  return plan;
}

// Sums that a node sends, per slice: over the busiest port of every round, times the ports.
double load(const Network& network, const HubShape& shape) {
  std::uint64_t packets = 0;
  for (const cost::RoundLoad& round : hub_loads(network, shape)) packets += round.packets;
  return static_cast<double>(packets * network.degree()) / hub_slices(network, shape);
}

double least_hub_load(const Network& network, std::uint32_t radius) {
  double least = HUGE_VAL;
  for (const HubShape& shape : hub_shapes(network, many_hops)) {
    if (shape.radius == radius) least = std::min(least, load(network, shape));
  }
  return least;
}

// The order of a node's ports, which hub_loads() does not tell.
std::vector<cost::RoundLoad> loads_of(const Network& network, const schedule::Schedule& schedule) {
  std::vector<cost::RoundLoad> result = cost::round_loads(network, schedule);
  for (cost::RoundLoad& round : result) round.alike = false;
  return result;
}

class Hubs : public testing::TestWithParam<const char*> {};

TEST_P(Hubs, sum_up_in_as_many_rounds_as_diameter_and_radius) {
  const Network network = network::parse(GetParam());
  std::uint32_t radius = 0;
  for (const HubShape& shape : hub_shapes(network, many_hops)) {
    const Plan plan = plan_over_hubs(network, shape);
    EXPECT_TRUE(verify::verify(plan).valid) << shape.radius << ", " << shape.turns;
    EXPECT_EQ(plan.schedule.round_count(), hub_rounds(network, shape));
    EXPECT_GT(plan.schedule.round_count(), network.diameter());
    EXPECT_LE(plan.schedule.round_count(), network.diameter() + shape.radius);
    EXPECT_TRUE(loads_of(network, plan.schedule) == hub_loads(network, shape));
    radius = std::max(radius, shape.radius);
  }
  EXPECT_GE(radius + 1 + radius / 4, network.diameter());
}

INSTANTIATE_TEST_SUITE_P(Networks, Hubs,
                         testing::Values("ring:4", "ring:9", "torus:3x5", "torus:4x4", "hypercube:4",
                                         "hexmesh:3", "hexmesh:4", "circulant:29:1,5,12", "circulant:16:1,4",
                                         "circulant:30:7,11", "twisted-torus:4x8", "twisted-torus:3x3x6"));

TEST(Hubs, are_for_networks_with_nodes_two_links_apart) {
  for (const char* name : {"ring:1", "ring:3", "complete:7"})
    EXPECT_THAT(hub_shapes(network::parse(name), many_hops), IsEmpty()) << name;
  EXPECT_THAT(hub_shapes(network::parse("hexmesh:3"), 100), IsEmpty());
}

// The figures that others found are 4.26; 4.2 and 2.4; 8.4, 4.3 and 3.2 sums, on ports that carry unlike.
TEST(Hubs, send_few_sums) {
  EXPECT_LE(least_hub_load(network::parse("hexmesh:3"), 1), 4.4);
  EXPECT_LE(least_hub_load(network::parse("circulant:29:1,5,12"), 1), 4.2);
  EXPECT_LE(least_hub_load(network::parse("circulant:29:1,5,12"), 2), 3.2);
  EXPECT_LE(least_hub_load(network::parse("hexmesh:5"), 1), 8.7);
  EXPECT_LE(least_hub_load(network::parse("hexmesh:5"), 2), 5.3);
  EXPECT_LE(least_hub_load(network::parse("hexmesh:5"), 3), 3.6);
}

TEST(Hubs, are_refused_by_the_checker_if_a_sum_is_changed) {
  const Plan plan = plan_over_hubs(network::parse("hexmesh:3"), {1, 1});
  const schedule::Stage& stage = plan.schedule.stages.front();
  for (std::size_t i = 0; i < stage.sums.size(); i += 7) {
    Plan twice = plan;
    auto& values = twice.schedule.stages.front().sums[i].values;
    values.push_back(values.front());
    EXPECT_FALSE(verify::verify(twice).valid) << i;
  }
  for (std::size_t i = 0; i < stage.result.size(); i += 7) {
    Plan less = plan;
    less.schedule.stages.front().result[i].pop_back();
    EXPECT_FALSE(verify::verify(less).valid) << i;
  }
}

// The search has no other source of chance.
TEST(Hubs, are_the_same_again) {
  const Network one = network::parse("circulant:29:1,5,12"), other = network::parse("hexmesh:3");
  const schedule::Schedule first = hub_allreduce(one, {1, 1});
  for (int i = 0; i < 20; ++i) hub_shapes(network::parse("ring:" + std::to_string(5 + i)), many_hops);
  EXPECT_EQ(hub_allreduce(one, {1, 1}), first);
  EXPECT_NE(hub_allreduce(other, {1, 1}), first);
}

}  // namespace
}  // namespace isotrope::algorithm
