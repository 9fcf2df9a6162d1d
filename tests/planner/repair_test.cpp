// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchanges around failures by repair: valid, on real buffers, at the bound or near it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using network::Failures;
using network::Node;

constexpr const char* repaired_networks[] = {
    "torus:3x4",           "torus:4x4",        "torus:5x5", "torus:3x3x3",   "hypercube:4",      "hexmesh:3",
    "twisted-torus:2x2x4", "circulant:19:1,7", "mesh:4x4",  "line:4xring:4", "complete:4xline:4"};

Problem exchange_around(const char* name, const Failures& failed, std::uint32_t parts = 1) {
  auto [network, lacks] = network::parse_named(name);
  Failures all = failed;
  all.open_axes = lacks.open_axes;
  return {.network = std::move(network),
          .failed = std::move(all),
          .task = {.collective = Collective::alltoall, .parts = parts}};
}

schedule::Plan repaired(const Problem& problem) {
  return make_plan(problem, {.algorithm = "repaired-total-exchange"});
}

class Repair : public testing::TestWithParam<const char*> {};

TEST_P(Repair, plans_around_random_failures) {
  SplitMix random(1);
  const Network network = exchange_around(GetParam(), {}).network;
  for (int i = 0; i < 6; ++i) {
    Failures failed;
    if (i % 2 == 0) failed.nodes.push_back(random.below(network.order()));
    for (int links = 0; links < i; ++links)
      failed.links.push_back({random.below(network.order()), random.below(network.degree())});
    const Problem problem = exchange_around(GetParam(), failed, 1 + static_cast<std::uint32_t>(i) % 3);
    const network::SurvivingNetwork survivors(problem.network, problem.failed);
    if (!problem.failed.any_failed() || !survivors.cut_off(survivors.nodes().front()).empty()) continue;
    const schedule::Plan plan = repaired(problem);
    const verify::Report report = verify::verify(plan);
    EXPECT_EQ(fault_of(report), "") << GetParam();
    EXPECT_GE(report.rounds, report.bound.value) << GetParam();
    EXPECT_LE(report.rounds, report.bound.value + report.bound.value / 5 + 2) << GetParam();
    const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
    EXPECT_TRUE(result.correct) << GetParam() << ": " << result.first_error;
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, Repair, testing::ValuesIn(repaired_networks));

struct Figure {
  const char* network;
  Failures failed;
  std::uint64_t rounds;
};

// A node, a link, two links four apart on a ring, a board of 2x2 nodes.
TEST(RepairFigures, are_reached) {
  for (const auto& [name, failed, rounds] :
       {Figure{"torus:8x8", {{9}, {}}, 67}, Figure{"torus:8x8", {{}, {{9, 0}}}, 69},
        Figure{"torus:8x8", {{}, {{0, 0}, {32, 0}}}, 74}, Figure{"torus:8x8", {{0, 1, 8, 9}, {}}, 65},
        Figure{"torus:4x4x8", {{}, {{0, 4}}}, 133}, Figure{"hypercube:6", {{}, {{5, 1}}}, 34}}) {
    const schedule::Plan plan = make_plan(exchange_around(name, failed));
    const verify::Report report = verify::verify(plan);
    EXPECT_EQ(fault_of(report), "") << name;
    EXPECT_LE(report.rounds, rounds) << name;
    EXPECT_GE(report.rounds, report.bound.value) << name;
  }
}

TEST(RepairReasons, say_what_does_not_suit) {
  const auto reason = [](Problem problem) {
    return unsupported_reason(algorithm_named("repaired-total-exchange"), problem).value_or("");
  };
  EXPECT_EQ(reason(exchange_around("torus:4x4", {{1}, {}})), "");
  EXPECT_NE(reason(exchange_around("torus:4x4", {})), "");
  EXPECT_NE(reason(exchange_around("mesh:4x4", {})), "");
  Problem one_port = exchange_around("torus:4x4", {{1}, {}});
  one_port.ports = schedule::PortModel::one();
  EXPECT_NE(reason(one_port), "");
  EXPECT_NE(reason(exchange_around("torus:16x16x16", {{1}, {}})), "");
}

// The old way takes part where it is quick, and over fewer ports.
TEST(RepairReasons, leave_the_other_planner_what_it_does_well) {
  Problem one_port = exchange_around("torus:4x4", {{1}, {}});
  one_port.ports = schedule::PortModel::one();
  EXPECT_EQ(choose(one_port).name(), "surviving-total-exchange");
  const Algorithm& routed = algorithm_named("surviving-total-exchange");
  EXPECT_TRUE(routed.is_quick(exchange_around("torus:4x4", {{1}, {}})));
  EXPECT_FALSE(routed.is_quick(exchange_around("torus:8x8x8", {{1}, {}})));
}

}  // namespace
}  // namespace isotrope::planner
