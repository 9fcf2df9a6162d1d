// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces by broadcasts and their mirror: proved, executed on real buffers and by the programs of the ranks, and held
// against the bound and against a reduce-scatter and an allgather.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/allreduce/mirrored_broadcasts.hpp"
#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/local/tree_plans.hpp"
#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

constexpr const char* mirrored_broadcasts = "mirrored-broadcasts-allreduce";

Problem mirrored_problem(std::string_view network_name, std::uint32_t parts = 1) {
  auto [network, lacks] = network::parse_named(network_name);
  return {.network = std::move(network),
          .failed = std::move(lacks),
          .task = {.collective = Collective::allreduce, .parts = parts}};
}

const Algorithm& mirrored() {
  return algorithm_named(mirrored_broadcasts, Collective::allreduce);
}

schedule::Plan mirrored_plan(const Problem& problem) {
  return make_plan(problem, mirrored(), {});
}

// The construction alone, on networks that lack nothing too.
schedule::Plan constructed(const Problem& problem,
                           algorithm::MirrorRoots roots = algorithm::MirrorRoots::any) {
  algorithm::SearchLimits limits;
  limits.runs = 8;
  schedule::Plan plan{problem.network, problem.failed, problem.task, {}, {}, {}};
  plan.schedule =
      algorithm::mirrored_broadcasts({problem.network, problem.failed}, problem.task.parts, limits, roots);
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), {}, {}};
  return plan;
}

void expect_allreduce(const schedule::Plan& plan, const std::string& what) {
  const verify::Report report = verify::verify(plan);
  ASSERT_EQ(fault_of(report), "") << what;
  EXPECT_GE(report.rounds, report.bound.value) << what;
  const std::uint64_t up = plan.network.order() - plan.failed.nodes.size();
  EXPECT_EQ(report.hops, 2 * (up - 1) * up * plan.task.parts) << what;
  for (const unsigned threads : {1U, 3U}) {
    const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = threads});
    EXPECT_TRUE(result.correct) << what << ": " << result.first_error;
  }
  const local::RunResult sums = local::run(
      plan, {.block_bytes = 24, .reduction = {local::Type::float32, local::Operation::sum}, .threads = 2});
  EXPECT_TRUE(sums.correct) << what << ": " << sums.first_error;
}

class Mirrored : public testing::TestWithParam<const char*> {};

TEST_P(Mirrored, are_valid_and_run) {
  for (const std::uint32_t parts : {1U, 2U, 3U}) {
    const schedule::Plan plan = constructed(mirrored_problem(GetParam(), parts));
    expect_allreduce(plan, std::to_string(parts) + " parts");
    EXPECT_EQ(rank::emulate(plan, 200), "") << parts << " parts";
  }
}

INSTANTIATE_TEST_SUITE_P(Allreduce, Mirrored,
                         testing::Values("line:2", "line:3", "line:8", "mesh:3x4", "mesh:3x3x3",
                                         "line:4xring:5", "hypercube:2xline:3", "complete:3xline:4", "ring:7",
                                         "torus:3x4", "complete:5", "hexmesh:2"));

TEST(MirroredAllreduce, goes_around_failures) {
  for (const auto& [network, nodes, links] :
       {std::tuple("torus:4x4", std::vector<schedule::Node>{5}, std::vector<schedule::Link>{}),
        std::tuple("mesh:4x4", std::vector<schedule::Node>{5, 12}, std::vector<schedule::Link>{}),
        std::tuple("hypercube:4", std::vector<schedule::Node>{}, std::vector<schedule::Link>{{3, 2}, {0, 0}}),
        std::tuple("line:4xring:4", std::vector<schedule::Node>{0}, std::vector<schedule::Link>{{7, 1}})}) {
    for (const std::uint32_t parts : {1U, 2U}) {
      Problem problem = mirrored_problem(network, parts);
      problem.failed.nodes = nodes;
      problem.failed.links = links;
      const schedule::Plan plan = mirrored_plan(problem);
      expect_allreduce(plan, network);
      EXPECT_EQ(rank::emulate(plan, 100), "") << network;
    }
  }
}

// Rounds that were found once, with those of a reduce-scatter and an allgather.
TEST(MirroredAllreduce, takes_fewer_rounds_than_two_stages) {
  for (const auto& [network, rounds, both] :
       {std::tuple("mesh:8x8", 47U, 64U), std::tuple("mesh:4x4x4", 32U, 42U),
        std::tuple("line:4xring:8", 19U, 22U)}) {
    const Problem problem = mirrored_problem(network);
    EXPECT_LE(mirrored().rounds(problem, {}), rounds) << network;
    EXPECT_EQ(algorithm_named("rarest-first-allreduce", Collective::allreduce).rounds(problem, {}), both)
        << network;
    EXPECT_EQ(choose(problem).name(), mirrored_broadcasts) << network;
  }
}

TEST(MirroredAllreduce, meets_the_bound_with_four_parts) {
  for (const char* network :
       {"mesh:4x4", "line:4xring:8", "line:5xhypercube:3", "mesh:3x4x5", "ring:5xmesh:3x5"}) {
    const verify::Report report = verify::verify(mirrored_plan(mirrored_problem(network, 4)));
    EXPECT_EQ(fault_of(report), "") << network;
    EXPECT_EQ(report.rounds, report.bound.value) << network;
  }
}

// The last broadcast begins as late as it can: in round 4 of 6, from one of the two nodes in the middle.
TEST(MirroredAllreduce, meets_the_bound_on_short_lines) {
  for (const auto& [network, rounds] :
       {std::pair("line:4", 6U), std::pair("line:6", 10U), std::pair("line:8", 14U)})
    EXPECT_EQ(mirrored().rounds(mirrored_problem(network), {}), rounds) << network;
}

// Odd rounds have a middle one, in which a link is its own mirror slot the other way round.
TEST(MirroredAllreduce, keeps_symmetries) {
  int symmetric = 0;
  for (const char* network : {"line:6", "mesh:4x4", "mesh:2x4x3", "line:4xring:6", "hypercube:2xline:4"}) {
    for (const std::uint32_t parts : {1U, 2U, 3U, 5U}) {
      const schedule::Plan plan = constructed(mirrored_problem(network, parts));
      expect_allreduce(plan, network);
      symmetric += plan.schedule.stages.front().symmetry.empty() ? 0 : 1;
    }
  }
  EXPECT_GE(symmetric, 15);
}

TEST(MirroredAllreduce, makes_the_same_plan_again) {
  const Problem problem = mirrored_problem("mesh:4x5", 2);
  EXPECT_EQ(constructed(problem).schedule, constructed(problem).schedule);
}

// Parts beyond those that are worth a search follow in groups.
TEST(MirroredAllreduce, takes_many_parts_group_by_group) {
  EXPECT_THAT(algorithm::mirrored_groups(4, 7), testing::ElementsAre(7));
  const auto groups = algorithm::mirrored_groups(64, 100);
  ASSERT_GT(groups.size(), 1U);
  const std::vector<std::uint32_t> unlike{2, 3};
  for (const char* network : {"line:3", "mesh:2x10", "line:4xring:3", "mesh:3x3"}) {
    const auto of = [&](std::uint32_t parts) {
      return constructed(mirrored_problem(network, parts), algorithm::MirrorRoots::fixed);
    };
    const schedule::Plan two = of(2), three = of(3);
    schedule::Plan plan = of(5);
    plan.schedule = algorithm::groups_in_turn(
        unlike, [&](std::uint32_t parts) -> const auto& { return (parts == 2 ? two : three).schedule; });
    plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), {}, {}};
    EXPECT_EQ(plan.claims.rounds, two.claims.rounds + three.claims.rounds);
    expect_allreduce(plan, network);
  }
}

TEST(MirroredAllreduce, every_damaged_hop_is_rejected) {
  const schedule::Plan plan = constructed(mirrored_problem("mesh:2x3", 2));
  const local::HopTable whole = local::table(plan.schedule.stages[0].rounds);
  for (std::size_t t = 0; t < whole.size(); ++t) {
    for (std::size_t i = 0; i < whole[t].size(); ++i) {
      for (int change = 0; change < 3; ++change) {
        local::HopTable hops = whole;
        if (change == 0) hops[t].erase(hops[t].begin() + static_cast<std::ptrdiff_t>(i));
        if (change == 1) hops[t][i].packet = (hops[t][i].packet + 1) % 12;
        if (change == 2) hops[t][i].from = (hops[t][i].from + 1) % 6;
        schedule::Plan damaged = plan;
        damaged.schedule.stages[0].rounds = local::rounds(hops);
        EXPECT_FALSE(verify::verify(damaged).valid)
            << "round " << t << ", hop " << i << ", change " << change;
      }
    }
  }
}

TEST(MirroredAllreduce, says_what_it_does_not_take) {
  Problem problem = mirrored_problem("mesh:3x3");
  problem.ports = schedule::PortModel::one();
  EXPECT_THAT(*unsupported_reason(mirrored(), problem), HasSubstr("all ports at once"));
  EXPECT_THAT(*unsupported_reason(mirrored(), mirrored_problem("torus:3x3")),
              HasSubstr("nothing has failed"));
  EXPECT_THAT(*unsupported_reason(mirrored(), mirrored_problem("mesh:64x64")), HasSubstr("2 to 2048"));
}

}  // namespace
}  // namespace isotrope::planner
