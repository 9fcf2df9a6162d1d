// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Aggregated messages on every network, for every collective whose nodes have blocks of their own.
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/bound/bandwidth.hpp"

#include "isotrope/planner/catalogue/shared.hpp"
#include "isotrope/planner/plan.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using schedule::Node;
using testing::HasSubstr;

constexpr std::array collectives{"scatter", "gather", "allgather", "reduce-scatter", "allreduce", "alltoall"};

Wanted aggregating(std::string_view network, std::string_view collective, std::string_view ports = "all",
                   std::string algorithm = "") {
  Wanted result = wanted_on(network, collective, ports, std::move(algorithm));
  result.problem.aggregation = unbounded;
  return result;
}

std::uint64_t total_load(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

class EveryNetworkAggregating : public testing::TestWithParam<const char*> {};

// Every port model has a plan. Over all ports it takes as few rounds as the diameter, and with as many parts as ports
// no schedule carries less.
TEST_P(EveryNetworkAggregating, serves_every_collective) {
  for (const char* collective : collectives) {
    for (const char* ports : {"all", "2", "one", "half"}) {
      const bool all = std::string_view(ports) == "all";
      if (is_sanitized && !all) continue;  // the searches for gossips take long
      Wanted wanted = aggregating(GetParam(), collective, ports);
      Problem& problem = wanted.problem;
      for (const std::uint32_t parts : {1U, problem.network.degree()}) {
        problem.task.parts = parts;
        const Algorithm& algorithm = choose(wanted);
        schedule::Plan plan = make_plan(problem, algorithm, {});
        const verify::Report report = certify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << GetParam() << " " << collective << " " << ports;
        EXPECT_EQ(report.rounds, algorithm.rounds(problem, {})) << algorithm.name();
        EXPECT_EQ(plan.schedule.round_kind, schedule::RoundKind::aggregated);
        if (!all) continue;
        EXPECT_EQ(report.rounds, problem.network.diameter()) << algorithm.name();
        if (parts > 1 && algorithm.traits().splits) {
          EXPECT_EQ(total_load(report), bound::bandwidth_bound(plan)->value)
              << GetParam() << " " << algorithm.name();
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Aggregated, EveryNetworkAggregating,
                         testing::Values("hypercube:5", "ring:7", "ring:8", "torus:3x4", "torus:4x6",
                                         "torus:3x3x4", "hexmesh:3", "hexmesh:5", "twisted-torus:2x2x4",
                                         "twisted-torus:4x8", "circulant:13:1,5", "complete:6",
                                         "cayley:4x6:1,0/3,0/0,1/0,5"));

// The algorithms of the source and what is derived from them, but those for machines.
std::vector<const Algorithm*> algorithms_of_source() {
  std::vector<const Algorithm*> result;
  const auto add = [&](const Algorithm& algorithm) {
    result.push_back(&algorithm_named(algorithm.name(), algorithm.traits().collective));
  };
  for (const auto& algorithm : aggregated()) {
    add(*algorithm);
    for (const auto& derived : derived_from(*algorithm)) {
      if (!derived->traits().for_machines) add(*derived);
    }
  }
  return result;
}

// Every algorithm under every port model it takes, in the rounds that it foretells.
TEST(Aggregated, keeps_what_its_algorithms_foretell) {
  for (const Algorithm* each : algorithms_of_source()) {
    const Algorithm& algorithm = *each;
    const std::string& entry = algorithm.name();
    int served = 0;
    for (const char* name : {"torus:4x4", "torus:2x3x5", "hypercube:4", "hexmesh:3", "circulant:20:1,6"}) {
      for (const char* ports : {"all", "1", "3", "one"}) {
        Wanted wanted = aggregating(name, collective_name(algorithm), ports, entry);
        if (unsupported_reason(algorithm, wanted)) continue;
        wanted.problem.task.parts = 3;
        wanted.problem.task.destinations = {{1, 1}, {6, 2}};  // of isotropic alone
        schedule::Plan plan = make_plan(wanted);
        const verify::Report report = certify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << entry << " " << name << " " << ports;
        EXPECT_EQ(report.rounds, algorithm.rounds(wanted.problem, {}))
            << entry << " " << name << " " << ports;
        ++served;
      }
    }
    EXPECT_GT(served, 0) << entry;
  }
}

TEST(Aggregated, takes_a_root) {
  Wanted wanted = aggregating("torus:3x5", "gather");
  wanted.problem.task.root = 7;
  for (const char* name : {"layer-by-layer-gather", "axis-by-axis-gather"}) {
    wanted.preferences.algorithm = name;
    schedule::Plan plan = make_plan(wanted);
    EXPECT_TRUE(certify(plan).optimal) << name;
  }
}

TEST(Aggregated, takes_the_fewest_rounds) {
  EXPECT_EQ(choose(aggregating("hypercube:6", "allgather")).name(), "layer-by-layer-allgather");
  EXPECT_EQ(choose(aggregating("torus:4x4", "scatter")).name(), "layer-by-layer-scatter");
  EXPECT_EQ(choose(aggregating("hypercube:6", "allgather", "one")).name(), "axis-by-axis-allgather");
  EXPECT_EQ(choose(aggregating("torus:4x4", "alltoall", "2")).name(), "axis-by-axis-exchange");
  EXPECT_EQ(choose(aggregating("hexmesh:3", "alltoall", "one")).name(), "gossip-exchange");
}

// The nodes in the cube around a node: a message each way along one axis after the other, with nine blocks in each.
TEST(Aggregated, exchanges_with_neighbours_axis_by_axis) {
  for (const char* name : {"torus:3x3x3", "torus:8x8x8", "torus:5x3x4"}) {
    Wanted wanted = aggregating(name, "isotropic");
    const network::Group& group = wanted.problem.network.group();
    for (Node node = 1; node < group.order(); ++node) {
      const auto near_zero = [&](std::size_t axis) {
        const auto x = group.coordinate(node, axis);
        return x <= 1 || x + 1 == group.moduli()[axis];
      };
      if (near_zero(0) && near_zero(1) && near_zero(2)) wanted.problem.task.destinations.push_back({node, 1});
    }
    ASSERT_EQ(wanted.problem.task.destinations.size(), 26U);
    schedule::Plan plan = make_plan(wanted);
    const verify::Report report = certify(plan);
    EXPECT_TRUE(report.optimal) << name;
    EXPECT_EQ(report.rounds, 3U);
    EXPECT_THAT(report.link_load, testing::Each(9U));
    for (std::uint64_t round = 0; round < 3; ++round) {
      std::set<network::Port> ports;
      for (const schedule::Hop& hop : plan.schedule.stages.front().rounds.round(round))
        ports.insert(hop.port);
      EXPECT_EQ(ports.size(), 2U);
    }
  }
}

// Any destinations, several blocks to some, blocks for the node itself, and some parts; a plan without one of its hops
// is rejected.
TEST(Aggregated, exchanges_listed_blocks) {
  std::mt19937 random(1);
  for (const char* name : {"torus:7", "torus:2x2x3", "torus:5x4", "hypercube:4", "torus:2x1x6"}) {
    for (const char* ports : {"all", "one", "2"}) {
      Wanted wanted = aggregating(name, "isotropic", ports);
      Problem& problem = wanted.problem;
      for (std::uint32_t i = 0; i < 6; ++i)
        problem.task.destinations.push_back(
            {static_cast<Node>(random() % problem.network.order()), 1 + i % 3});
      problem.task.destinations.push_back({1, 1});
      problem.task.parts = static_cast<std::uint32_t>(1 + random() % 3);
      schedule::Plan plan = make_plan(wanted);
      EXPECT_EQ(fault_of(certify(plan)), "") << name << " " << ports;
      schedule::Rounds fewer;
      for (std::uint64_t round = 0; round < plan.schedule.round_count(); ++round) {
        for (const schedule::Hop& hop : plan.schedule.stages.front().rounds.round(round)) {
          if (&hop != plan.schedule.stages.front().rounds.hops().data()) fewer.add(hop);
        }
        fewer.close_round();
      }
      plan.schedule.stages.front().rounds = fewer;
      EXPECT_FALSE(verify::verify(plan).valid) << name << " " << ports;
    }
  }
}

// The plan keeps the aggregation limit, and the checker holds its messages against it.
TEST(Aggregated, plans_keep_the_limit) {
  Wanted some = aggregating("hypercube:4", "scatter", "one", "balanced-spanning-tree-scatter");
  some.problem.aggregation = 4;
  schedule::Plan plan = make_plan(some);
  EXPECT_EQ(plan.aggregation, 4u);
  EXPECT_EQ(problem_of(plan).aggregation, 4u);
  EXPECT_EQ(fault_of(verify::verify(plan)), "");
  plan.aggregation = 3;
  EXPECT_FALSE(verify::verify(plan).valid);
}

TEST(Aggregated, refuses_what_it_cannot_do) {
  Wanted some = aggregating("hexmesh:3", "alltoall", "all", "equitable-exchange");
  some.problem.aggregation = 4;
  EXPECT_THAT(refusal_of(some), HasSubstr("give --merge all"));
  EXPECT_THAT(refusal_of(aggregating("hexmesh:3", "allgather", "half", "layer-by-layer-allgather")),
              HasSubstr("cannot serve half-duplex"));
  EXPECT_THAT(refusal_of(aggregating("hexmesh:3", "allgather", "all", "axis-by-axis-allgather")),
              HasSubstr("hexmesh:3 is no torus"));
  some.problem.aggregation = 1;
  EXPECT_THAT(refusal_of(some), HasSubstr("give --merge K or --merge all"));
}

}  // namespace
}  // namespace isotrope::planner
