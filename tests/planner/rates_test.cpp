// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on networks of unlike links: valid, on real buffers, at the bound.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

Problem rated_problem(std::string_view name, std::string_view collective, std::string_view ports = "all",
                      std::uint64_t parts = 1) {
  auto [network, lacks] = network::parse_named(name);
  const auto model = schedule::parse_port_model(ports, network.degree());
  const auto task = schedule::parse_task(collective, network, 0, parts);
  return {.network = std::move(network), .failed = std::move(lacks), .task = task, .ports = model};
}

std::uint64_t bound_of(std::string_view name, std::string_view collective, std::uint64_t parts = 1) {
  return bound::lower_bounds(rated_problem(name, collective, "all", parts)).front().value;
}

class Rates : public testing::TestWithParam<const char*> {};

TEST_P(Rates, have_plans_for_every_collective) {
  for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "alltoall",
                                 "reduce-scatter", "allreduce", "barrier", "scan", "exscan"}) {
    for (const char* ports : {"all", "one", "half"}) {
      Problem problem = rated_problem(GetParam(), collective, ports);
      const schedule::Plan plan = make_plan(problem);
      const verify::Report report = verify::verify(plan);
      EXPECT_EQ(fault_of(report), "") << collective << ", " << ports;
      EXPECT_GE(report.rounds, report.bound.value) << collective << ", " << ports;
      const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
      EXPECT_TRUE(result.correct) << collective << ", " << ports << ": " << result.first_error;
    }
  }
}

TEST_P(Rates, are_planned_at_the_bound_over_all_ports) {
  for (const char* collective :
       {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "alltoall"}) {
    for (const std::uint32_t parts : {1U, 3U}) {
      const verify::Report report =
          verify::verify(make_plan(rated_problem(GetParam(), collective, "all", parts)));
      EXPECT_EQ(fault_of(report), "") << collective;
      EXPECT_EQ(report.rounds, report.bound.value) << collective << " in " << parts;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, Rates,
                         testing::Values("ring:4@2", "torus:4x4@2,1", "torus:3x4@1,2", "mesh:3x4@2,1",
                                         "line:4xring:8@2", "hypercube:3@2", "complete:4@3"));

// Section S7 of the bounds: 2 along two axes of a torus, 1 along the third.
TEST(RatedTorus, meets_the_bounds_of_its_rates) {
  constexpr const char* torus = "torus:8x8x8@2,2,1";
  EXPECT_EQ(bound_of(torus, "alltoall"), 512U);
  EXPECT_EQ(bound_of(torus, "allgather"), 52U);
  EXPECT_EQ(bound_of(torus, "scatter"), 52U);
  EXPECT_EQ(bound_of(torus, "scatter", 4), 205U);
  EXPECT_EQ(bound_of(torus, "broadcast"), 12U);
  EXPECT_EQ(bound_of(torus, "allreduce"), 103U);
  EXPECT_EQ(bound_of("mesh:4x4x4@2,2,1", "alltoall"), 64U);
  for (const char* collective :
       {"alltoall", "allgather", "reduce-scatter", "scatter", "gather", "broadcast"}) {
    const verify::Report report = verify::verify(make_plan(rated_problem(torus, collective)));
    EXPECT_EQ(fault_of(report), "") << collective;
    EXPECT_TRUE(report.optimal) << collective;
  }
}

// The root sends a fresh packet over each of several links to a neighbour, and slow links bring different packets to a ring.
TEST(RatedBroadcast, meets_the_bound) {
  for (const auto& [name, parts] : {std::pair("line:4xring:8@2", 128U),
                                    {"torus:8x8@3,1", 64U},
                                    {"torus:8x8x8@2,2,1", 16U},
                                    {"ring:8@4", 32U}}) {
    for (const char* collective : {"broadcast", "reduce"}) {
      const verify::Report report = verify::verify(make_plan(rated_problem(name, collective, "all", parts)));
      EXPECT_EQ(fault_of(report), "") << name;
      EXPECT_EQ(report.rounds, report.bound.value) << name << " " << collective;
    }
  }
}

// A row along a fast axis hears of the others over its slow links alone.
TEST(RatedBound, counts_the_links_of_slow_axes) {
  EXPECT_EQ(bound_of("torus:4x4@8,1", "allgather", 16), 24U);
  EXPECT_EQ(bound_of("torus:4x4x4@9,1,1", "allgather", 4), 15U);
  EXPECT_EQ(bound_of("mesh:4x4@8,1", "reduce-scatter", 16), 48U);
  EXPECT_THAT(bound::lower_bounds(rated_problem("torus:4x4@8,1", "allgather", "all", 16)).front().because,
              HasSubstr("axes 1"));
}

// Random products of lines, rings, complete networks and cubes, each with a rate.
TEST(RatedProducts, are_exchanged_and_gathered_near_the_bound) {
  EXPECT_TRUE(rc::check("products with rates", [] {
    const std::vector<std::string> families{"line:2", "line:3",     "line:5",     "ring:4",
                                            "ring:5", "complete:3", "hypercube:2"};
    const auto rate = rc::gen::inRange(1, 5);
    std::vector<std::string> factors;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
      factors.push_back(fmt::format("{}@{}", *rc::gen::elementOf(families), *rate));
    const std::string name = fmt::format("{}", fmt::join(factors, "x"));
    const auto parts = *rc::gen::inRange<std::uint64_t>(1, 3);
    RC_LOG() << name << " " << parts;
    for (const char* collective : {"alltoall", "allgather", "scatter", "broadcast"}) {
      const verify::Report report = verify::verify(make_plan(rated_problem(name, collective, "all", parts)));
      RC_ASSERT(fault_of(report) == "");
      RC_ASSERT(report.rounds >= report.bound.value);
      RC_ASSERT(report.rounds <= report.bound.value + 2 + report.bound.value / 8);
    }
  }));
}

// Half of the rate of a cable fails, and then all of it.
// Seven packets a node with 16 hops over four links: four rounds would leave no slot free, and the search for them ends soon.
TEST(RatedExchange, without_waiting_ends_its_search) {
  for (const auto& [name, rounds] :
       {std::pair("ring:4@2", 2U), std::pair("ring:8@2", 5U), std::pair("ring:12@2", 9U)}) {
    Problem problem = rated_problem(name, "alltoall");
    problem.waiting = false;
    const schedule::Plan plan = make_plan(problem);
    EXPECT_EQ(fault_of(verify::verify(plan)), "") << name;
    EXPECT_LE(plan.schedule.round_count(), rounds) << name;
  }
}

TEST(RatedFailures, leave_plans) {
  for (const char* links : {"0:2", "0-1", "0-1,9-10,0:0"}) {
    Problem problem = rated_problem("line:4xring:8@2", "alltoall");
    problem.failed.links = network::parse_failed_links(links, problem.network);
    for (const char* collective : {"alltoall", "allgather", "scatter", "allreduce", "broadcast"}) {
      problem.task = schedule::parse_task(collective, problem.network);
      const schedule::Plan plan = make_plan(problem);
      EXPECT_EQ(fault_of(verify::verify(plan)), "") << links << ", " << collective;
      EXPECT_TRUE(local::run(plan, {.block_bytes = 24, .threads = 2}).correct) << links << ", " << collective;
    }
  }
}

// Every copy of a link carries one packet a round, and only links that exist.
TEST(RatedCheck, finds_a_second_packet_on_a_copy) {
  schedule::Plan plan = make_plan(rated_problem("ring:4@2", "alltoall"));
  ASSERT_TRUE(verify::verify(plan).valid);
  schedule::Rounds& rounds = plan.schedule.stages.front().rounds;
  schedule::Rounds crowded;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (schedule::Hop hop : rounds.round(t)) {
      hop.port &= ~1U;  // the first copy instead of the second
      crowded.add(hop);
    }
    crowded.close_round();
  }
  rounds = std::move(crowded);
  EXPECT_FALSE(verify::verify(plan).valid);
}

}  // namespace
}  // namespace isotrope::planner
