// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces along translated trees whose equal subtrees share messages, proved by the checker.
#include "isotrope/algorithm/allreduce/shared_subtrees.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Port;
using schedule::Plan;

Plan plan_along(const Network& network, std::uint32_t trees) {
  Plan plan{.network = network,
            .failed = {},
            .task = {.collective = schedule::Collective::allreduce, .parts = trees},
            .schedule = shared_subtree_allreduce(network, trees),
            .bound = {},
            .claims = {}};
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count() * network.order();
  return plan;
}

std::uint64_t messages(const Network& network) {
  return shared_subtree_allreduce(network, 1).hop_count();
}

// What the busiest ports of all rounds carry of the vector.
double load(const Network& network, std::uint32_t trees) {
  const schedule::Schedule schedule = shared_subtree_allreduce(network, trees);
  const schedule::Rounds& rounds = schedule.stages.front().rounds;
  double result = 0;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    std::vector<double> of_port(network.degree(), 0);
    for (const schedule::Hop& hop : rounds.round(t)) ++of_port[hop.port];
    result += std::ranges::max(of_port) / trees;
  }
  return result;
}

TEST(SharedSubtrees, sum_up_in_diameter_rounds_on_every_network) {
  for (const char* name :
       {"ring:2", "ring:5", "ring:8", "torus:3x5", "torus:4x4x4", "hypercube:5", "hexmesh:2", "hexmesh:3",
        "hexmesh:5", "hexmesh:8", "circulant:29:1,5,12", "circulant:16:1,4", "circulant:30:7,11",
        "twisted-torus:4x8", "twisted-torus:4x4x8", "twisted-torus:3x3x6", "complete:7", "torus:4x4@2,1"}) {
    const Network network = network::parse(name);
    const std::vector<std::uint32_t> counts = shared_subtree_counts(network);
    ASSERT_EQ(counts.front(), 1u);
    for (const std::uint32_t trees : counts) {
      const Plan plan = plan_along(network, trees);
      EXPECT_TRUE(verify::verify(plan).valid) << name << ", " << trees;
      EXPECT_EQ(plan.schedule.round_count(), network.diameter()) << name;
      EXPECT_EQ(plan.schedule.stages.front().result.size(), trees) << name;
    }
  }
}

// The figures that others found, and those of flooding on rings.
TEST(SharedSubtrees, send_few_messages) {
  EXPECT_LE(messages(network::parse("hexmesh:3")), 12u);
  EXPECT_LE(messages(network::parse("hexmesh:5")), 24u);
  EXPECT_LE(messages(network::parse("circulant:29:1,5,12")), 11u);
  EXPECT_LE(messages(network::parse("twisted-torus:4x4x8")), 25u);
  EXPECT_EQ(messages(network::parse("ring:9")), 8u);
}

TEST(SharedSubtrees, load_ports_more_alike_along_several_trees) {
  for (const char* name : {"circulant:29:1,5,12", "twisted-torus:4x4x8"}) {
    const Network network = network::parse(name);
    const std::vector<std::uint32_t> counts = shared_subtree_counts(network);
    ASSERT_GT(counts.size(), 1u) << name;
    for (std::size_t i = 1; i < counts.size(); ++i)
      EXPECT_LT(load(network, counts[i]), load(network, counts[i - 1])) << name;
  }
}

TEST(SharedSubtrees, are_refused_by_the_checker_if_a_sum_is_changed) {
  const Plan plan = plan_along(network::parse("hexmesh:3"), 2);
  const schedule::Stage& stage = plan.schedule.stages.front();
  for (std::size_t i = 0; i < stage.sums.size(); ++i) {
    Plan twice = plan;
    auto& values = twice.schedule.stages.front().sums[i].values;
    values.push_back(values.front());
    EXPECT_FALSE(verify::verify(twice).valid) << i;
  }
  for (std::size_t i = 0; i < stage.result.size(); ++i) {
    Plan less = plan;
    less.schedule.stages.front().result[i].pop_back();
    EXPECT_FALSE(verify::verify(less).valid) << i;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
