// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of the ranks, for every plan that the catalogue makes.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/rank/program.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;

std::vector<Wanted> all_wanted(const std::string& network, const Algorithm& algorithm) {
  std::vector<Wanted> result;
  for (const char* ports : {"all", "one"}) {
    for (const std::uint64_t limit : {std::uint64_t{1}, unbounded}) {
      for (const std::uint32_t parts : {1U, 3U}) {
        Wanted wanted = wanted_on(network, collective_name(algorithm), ports, algorithm.name());
        wanted.problem.aggregation = limit;
        schedule::Task& task = wanted.problem.task;
        task.parts = parts;
        if (is_rooted(task.collective)) task.root = wanted.problem.network.order() - 1;
        if (task.collective == Collective::neighborhood) task.farthest = 2;
        if (task.collective == Collective::isotropic) task.destinations = {{1, 2}, {2, 1}};
        if (task.collective == Collective::task) task.deliveries = {{0, 1, 1}, {2, 0, 2}};
        if (!unsupported_reason(algorithm, wanted)) result.push_back(std::move(wanted));
      }
    }
  }
  return result;
}

class RankPrograms : public testing::TestWithParam<const char*> {};

TEST_P(RankPrograms, deliver_for_every_algorithm) {
  int plans = 0;
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().for_machines) continue;
    for (const Wanted& wanted : all_wanted(GetParam(), *algorithm)) {
      EXPECT_EQ(rank::emulate(make_plan(wanted), 7), "")
          << algorithm->name() << ", " << wanted.problem.task.parts << " parts";
      ++plans;
    }
  }
  EXPECT_GE(plans, 50);
}

TEST_P(RankPrograms, deliver_for_every_algorithm_for_machines) {
  int plans = 0;
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->traits().for_machines) continue;
    Problem problem = problem_on(GetParam(), collective_name(*algorithm));
    if (!algorithm->traits().strict) problem.aggregation = unbounded;
    if (unsupported_reason(*algorithm, problem)) continue;
    for (const Parameters& parameters : algorithm->choices(problem)) {
      EXPECT_EQ(rank::emulate(make_plan(problem, *algorithm, parameters), 7), "") << algorithm->name();
      ++plans;
    }
  }
  EXPECT_GE(plans, 5);
}

// Transit takes no more than another N blocks.
TEST_P(RankPrograms, pass_on_few_blocks_at_a_time) {
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().collective != Collective::alltoall || algorithm->traits().for_machines) continue;
    for (const Wanted& wanted : all_wanted(GetParam(), *algorithm)) {
      const rank::RankProgram program = rank::compile(make_plan(wanted), 1);
      const Problem& problem = wanted.problem;
      EXPECT_LE(program.slots, problem.network.order() * problem.task.parts) << algorithm->name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, RankPrograms,
                         testing::Values("hypercube:3", "torus:4x3", "hexmesh:2", "ring:5", "circulant:8:1,3",
                                         "torus:3x2@2,1", "ring:4@2"));

}  // namespace
}  // namespace isotrope::planner
