// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/no_wait_exchange.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::Task;

// The exchange as a plan, with the largest bound as its own.
schedule::Plan plan_of(const std::string& network_name, const std::string& collective = "alltoall",
                       std::uint64_t places = std::uint64_t{1} << 30) {
  const Network network = network::parse(network_name);
  const Task task = schedule::parse_task(collective, network, 0, 1);
  const auto bound = bound::lower_bounds({.network = network, .task = task, .waiting = false}).front();
  const SearchLimits limits{.target = bound.value, .links = places};
  return {network, {}, task, no_wait_exchange(network, task, relative_destinations(network, task), limits),
          bound,   {}};
}

verify::Report report_on(const schedule::Plan& plan) {
  EXPECT_FALSE(plan.schedule.waiting);
  verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid) << plan.network.name()
                            << (report.violations.empty() ? "" : ": " + report.violations[0].message);
  return report;
}

struct Makespan {
  const char* network;
  std::uint64_t rounds;
};

TEST(NoWaitExchange, meets_the_bound_that_holds_with_waiting) {
  for (const auto& [network, rounds] : std::vector<Makespan>{{"twisted-torus:4x8", 21},
                                                             {"twisted-torus:4x4x8", 74},
                                                             {"twisted-torus:8x16", 170},
                                                             {"twisted-torus:4x8x8", 184},
                                                             {"twisted-torus:3x6", 9},
                                                             {"twisted-torus:3x3x6", 23},
                                                             {"twisted-torus:5x10", 42},
                                                             {"torus:4x4x4", 32},
                                                             {"torus:7x7", 42},
                                                             {"torus:12x12", 216},
                                                             {"torus:3x8", 24},
                                                             {"torus:2x3x4", 12},
                                                             {"hypercube:6", 32},
                                                             {"hypercube:9", 256},
                                                             {"ring:8", 8},
                                                             {"ring:9", 10},
                                                             {"hexmesh:4", 14}}) {
    const auto report = report_on(plan_of(network));
    EXPECT_EQ(report.rounds, rounds) << network;
    EXPECT_TRUE(report.optimal) << network;
  }
}

TEST(NoWaitExchange, needs_no_kernel_where_a_turn_moves_all_packets) {
  for (const char* network : {"torus:5x5", "torus:9x9", "torus:5x5x5x5", "hexmesh:6"}) {
    const schedule::Plan plan = plan_of(network);
    const auto report = report_on(plan);
    EXPECT_TRUE(report.optimal) << network;
    EXPECT_EQ(plan.schedule.barriers.size() + 1, (plan.network.order() - 1) / plan.network.degree())
        << network;
  }
}

TEST(NoWaitExchange, serves_every_network) {
  for (const char* network :
       {"circulant:13:1,2", "circulant:29:1,5,12", "circulant:16:1,8", "complete:7", "torus:2x2", "torus:2x3",
        "torus:2x2x5", "ring:2", "ring:3", "twisted-torus:2x4", "twisted-torus:8,0/3,8",
        "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3", "torus:1"}) {
    if (network::parse(network).order() == 1) continue;
    const auto report = report_on(plan_of(network, "alltoall", std::uint64_t{1} << 26));
    EXPECT_GE(report.rounds, report.bound.value) << network;
  }
}

TEST(NoWaitExchange, serves_neighbourhoods) {
  for (const char* collective : {"neighborhood:1:2", "neighborhood:2:3", "neighborhood:3:3"}) {
    for (const char* network : {"torus:5x5x5", "twisted-torus:4x8", "hypercube:5"}) {
      const auto report = report_on(plan_of(network, collective, std::uint64_t{1} << 26));
      EXPECT_GE(report.rounds, report.bound.value) << network << " " << collective;
    }
  }
}

TEST(NoWaitExchange, finds_the_same_again) {
  EXPECT_EQ(plan_of("twisted-torus:4x8x8").schedule, plan_of("twisted-torus:4x8x8").schedule);
}

// A little effort is enough for a schedule, if not for the best one.
TEST(NoWaitExchange, takes_more_rounds_with_less_effort) {
  const auto report = report_on(plan_of("twisted-torus:6x6x12", "alltoall", 1));
  EXPECT_GT(report.rounds, 375u);
  EXPECT_LT(report.rounds, 500u);
}

}  // namespace
}  // namespace isotrope::algorithm
