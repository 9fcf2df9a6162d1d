// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Middle-out allreduces of all cuts on small tori: proved, executed, and their loads held against those of the schedule.
#include "isotrope/algorithm/allreduce/middle_out.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::planner {
namespace {

using algorithm::AxisClusters;
using algorithm::ClusteredRing;
using algorithm::MiddleOut;
using algorithm::MiddleOutCut;
using schedule::Plan;
using schedule::PortModel;
using testing::HasSubstr;

constexpr const char* middle_out = "middle-out-allreduce";
constexpr std::uint64_t any_number = UINT64_MAX;

Problem middle_out_problem(const char* network) {
  Problem result = problem_on(network, "allreduce");
  result.aggregation = unbounded;
  return result;
}

// The plans of the catalogue, and those of all cuts, also if another cut is better.
std::vector<MiddleOutCut> some_cuts(const Network& network) {
  std::vector<MiddleOutCut> result = algorithm::middle_out_cuts(network, any_number);
  const auto axes = *network::torus_axes(network);
  for (const std::uint32_t clusters : {1U, 2U, 3U}) {
    for (const bool single : {false, true}) {
      MiddleOutCut cut;
      for (std::uint32_t a = 0; a < axes.size(); ++a)
        cut.order.push_back({a, {std::min(clusters + a % 2, axes[a].extent), single}});
      result.push_back(std::move(cut));
    }
  }
  return result;
}

Plan middle_out_plan(const char* network, const MiddleOutCut& cut) {
  return make_plan(middle_out_problem(network), algorithm_named(middle_out, schedule::Collective::allreduce),
                   {.cut = cut});
}

class MiddleOuts : public testing::TestWithParam<const char*> {};

TEST_P(MiddleOuts, are_valid_whatever_the_cut) {
  for (const MiddleOutCut& cut : some_cuts(network::parse(GetParam()))) {
    SCOPED_TRACE(in_words(cut));
    EXPECT_EQ(fault_of(verify::verify(middle_out_plan(GetParam(), cut))), "");
  }
}

TEST_P(MiddleOuts, have_the_loads_that_are_told) {
  const Network network = network::parse(GetParam());
  for (const MiddleOutCut& cut : some_cuts(network)) {
    SCOPED_TRACE(in_words(cut));
    const MiddleOut told(network, cut);
    const schedule::Schedule schedule = told.schedule();
    // Nodes send over the same ports, in orders that may differ; what is told supposes that they do.
    auto loads = cost::round_loads(network, schedule);
    for (cost::RoundLoad& load : loads) load.alike = false;
    EXPECT_EQ(told.loads(), loads);
    EXPECT_EQ(told.hops(), schedule.hop_count());
    EXPECT_EQ(told.rounds(), schedule.round_count());
  }
}

TEST_P(MiddleOuts, add_up_real_vectors) {
  for (const MiddleOutCut& cut : some_cuts(network::parse(GetParam()))) {
    SCOPED_TRACE(in_words(cut));
    const Plan plan = middle_out_plan(GetParam(), cut);
    for (const std::uint64_t elements : {0U, 1U, 10U, 97U}) EXPECT_EQ(rank::emulate(plan, elements), "");
    const local::RunResult run = local::run(plan, {.block_bytes = 1000, .threads = 2});
    EXPECT_TRUE(run.correct) << run.first_error;
  }
}

TEST_P(MiddleOuts, are_wrong_without_a_hop) {
  const Plan plan =
      middle_out_plan(GetParam(), algorithm::middle_out_cuts(network::parse(GetParam()), any_number).back());
  const schedule::Rounds whole = plan.schedule.stages[0].rounds;
  const std::uint64_t step = whole.hop_count() / 20 + 1;
  for (std::uint64_t i = 0; i < whole.hop_count(); i += step) {
    Plan damaged = plan;
    schedule::Rounds& rounds = damaged.schedule.stages[0].rounds = {};
    std::uint64_t number = 0;
    for (std::uint64_t t = 0; t < whole.size(); ++t) {
      for (const schedule::Hop& hop : whole.round(t)) {
        if (number++ != i) rounds.add(hop);
      }
      rounds.close_round();
    }
    EXPECT_FALSE(verify::verify(damaged).valid) << "hop " << i;
  }
}

// Every sum of several values is sent, and whoever adds it needs all of them once.
TEST_P(MiddleOuts, are_wrong_if_a_sum_is_changed) {
  const Plan plan =
      middle_out_plan(GetParam(), algorithm::middle_out_cuts(network::parse(GetParam()), any_number).back());
  const auto& sums = plan.schedule.stages[0].sums;
  for (std::size_t i = 0; i < sums.size(); i += sums.size() / 20 + 1) {
    std::vector<Plan> damaged(2, plan);
    auto& twice = damaged[0].schedule.stages[0].sums[i].values;
    twice.push_back(twice.back());
    auto& fewer = damaged[1].schedule.stages[0].sums[i].values;
    if (fewer.size() > 1) fewer.pop_back();
    EXPECT_FALSE(verify::verify(damaged[0]).valid) << "sum " << i;
    EXPECT_EQ(verify::verify(damaged[1]).valid, sums[i].values.size() == 1) << "sum " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MiddleOuts,
                         testing::Values("ring:2", "ring:3", "ring:4", "ring:5", "ring:8", "ring:9",
                                         "ring:14", "hypercube:1", "hypercube:3", "hypercube:4", "torus:2x2",
                                         "torus:3x3", "torus:4x4", "torus:3x5", "torus:4x6", "torus:2x3x4",
                                         "torus:3x3x3", "torus:1x5x2"),
                         [](const auto& parameter) {
                           std::string result = parameter.param;
                           std::ranges::replace(result, ':', '_');
                           return result;
                         });

// ---- rounds against bytes

// The fewest uses of links, per node and vector, of each number of rounds.
std::map<std::uint64_t, double> fewest_uses(const char* network_name) {
  const Network network = network::parse(network_name);
  std::map<std::uint64_t, double> result;
  for (const MiddleOutCut& cut : algorithm::middle_out_cuts(network, any_number)) {
    const MiddleOut plan(network, cut);
    const double uses =
        static_cast<double>(plan.hops()) / static_cast<double>(plan.slices()) / network.order();
    const auto [entry, is_new] = result.try_emplace(plan.rounds(), uses);
    entry->second = std::min(entry->second, uses);
  }
  return result;
}

void expect_uses(const char* network, const std::map<std::uint64_t, double>& expected) {
  const auto found = fewest_uses(network);
  for (const auto& [rounds, uses] : expected) {
    ASSERT_TRUE(found.contains(rounds)) << network << ": no cut of " << rounds << " rounds";
    EXPECT_NEAR(found.at(rounds), uses, 0.006) << network << ", " << rounds << " rounds";
  }
}

// With clusters of two nodes, p / 2 rounds and uses an axis: as few rounds as the diameter. With one cluster an axis,
// nearly 2 uses, which no allreduce undercuts but by 2 / N.
TEST(MiddleOutCuts, trade_rounds_for_bytes) {
  expect_uses("torus:4x4x4", {{6, 6}, {7, 3.5}, {8, 2.5}, {9, 2.125}, {10, 2}, {11, 1.969}});
  expect_uses("torus:8x8", {{8, 8}, {9, 4.5}, {10, 3.5}, {11, 2.75}, {12, 2.25}, {13, 2.06}, {14, 2}});
  expect_uses("ring:16", {{8, 8}, {9, 4.5}, {11, 2.75}, {15, 1.875}});
  expect_uses("ring:27", {{13, 26}, {14, 9.33}, {17, 3.78}, {26, 1.93}});
  for (const std::uint64_t reduced : {0U, 1U, 2U, 3U, 4U, 5U}) {
    const double share = 1.0 / static_cast<double>(1U << reduced);
    expect_uses("hypercube:6",
                {{6 + reduced, 2 * (1 - share) + (6.0 - static_cast<double>(reduced)) * share}});
  }
}

TEST(MiddleOutCuts, of_clusters_of_two_take_the_diameter) {
  for (const char* network : {"ring:6", "torus:4x8", "torus:2x6x4", "torus:8x8x8", "torus:3x5x7"}) {
    const std::uint64_t diameter = network::parse(network).diameter();
    EXPECT_EQ(fewest_uses(network).begin()->first, diameter) << network;
  }
}

TEST(ClusteredRings, have_hubs_in_the_middle) {
  const ClusteredRing even(8, {2, false}), single(8, {2, true}), uneven(9, {2, false});
  EXPECT_EQ(even.hubs(), (std::vector<network::Coordinate>{1, 2, 5, 6}));
  EXPECT_EQ(single.hubs(), (std::vector<network::Coordinate>{2, 6}));
  EXPECT_EQ(uneven.hubs(), (std::vector<network::Coordinate>{2, 6, 7}));
  EXPECT_EQ(even.steps(), 5U);
  EXPECT_EQ(even.translations(), 4U);
  EXPECT_EQ(uneven.translations(), 9U);
  EXPECT_TRUE(even.is_symmetric());
  EXPECT_FALSE(single.is_symmetric());
}

// ---- the choice by size

const cost::Machine cut_through = simgrid_machine(0);

double seconds_of(const char* network, std::uint64_t bytes, const char* algorithm) {
  const Choice choice =
      choose_for(problem_on(network, "allreduce"), bytes, cut_through, {.algorithm = algorithm});
  return choice.best().prediction.seconds;
}

// 1 KiB is where Swing was faster than all of the catalogue: 12.7, 7.1 and 5.1 us there.
TEST(MiddleOutChoice, is_for_middle_vectors) {
  for (const char* network :
       {"torus:8x8", "torus:4x4x4", "torus:4x4", "torus:9x9", "ring:27", "hypercube:6"}) {
    const Choice choice = choose_for(problem_on(network, "allreduce"), 1024, cut_through);
    // On extents of 2 and 4 a level exchange takes as long.
    EXPECT_LE(seconds_of(network, 1024, middle_out), 1.01 * choice.best().prediction.seconds) << network;
    const schedule::Plan plan = make_plan(choice.best());
    EXPECT_EQ(fault_of(verify::verify(plan)), "") << network;
  }
  EXPECT_NEAR(seconds_of("torus:8x8", 1024, middle_out), 9.07e-6, 0.01e-6);
  EXPECT_NEAR(seconds_of("torus:4x4x4", 1024, middle_out), 6.61e-6, 0.01e-6);
  EXPECT_NEAR(seconds_of("torus:4x4", 1024, middle_out), 4.59e-6, 0.01e-6);
}

// A cut for few rounds is best for few bytes, and so on.
TEST(MiddleOutChoice, takes_more_rounds_for_more_bytes) {
  std::uint64_t rounds = 0;
  for (const std::uint64_t bytes : {64U, 1024U, 4096U, 16384U, 65536U}) {
    const Choice choice =
        choose_for(problem_on("torus:8x8", "allreduce"), bytes, cut_through, {.algorithm = middle_out});
    EXPECT_GE(choice.best().prediction.rounds, rounds) << bytes;
    rounds = choice.best().prediction.rounds;
  }
  EXPECT_GT(rounds, 8U);
}

TEST(MiddleOutChoice, refuses_in_words) {
  const auto reason = [](Problem problem) {
    return unsupported_reason(algorithm_named(middle_out, schedule::Collective::allreduce), problem)
        .value_or("");
  };
  EXPECT_THAT(reason(middle_out_problem("hexmesh:3")), HasSubstr("it needs a torus or a hypercube"));
  Problem one_port = middle_out_problem("torus:4x4");
  one_port.ports = PortModel::one();
  EXPECT_THAT(reason(one_port), HasSubstr("all ports"));
  Problem cut = middle_out_problem("torus:4x4");
  cut.task.parts = 7;
  EXPECT_THAT(reason(cut), HasSubstr("leave the parts at 1"));
  EXPECT_THAT(reason(middle_out_problem("torus:64x64x64")), HasSubstr("hops"));
}

}  // namespace
}  // namespace isotrope::planner
