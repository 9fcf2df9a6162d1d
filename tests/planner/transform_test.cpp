// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Transformed plans, held against the checker.
#include "isotrope/schedule/transform.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::schedule {
namespace {

Plan planned(std::string_view network_name, std::string_view collective, Node root = 0,
             std::uint64_t parts = 1) {
  const Network network = network::parse(network_name);
  return planner::make_plan({.network = network, .task = parse_task(collective, network, root, parts)});
}

// The same plan with another task and schedule, claims brought up to date.
verify::Report check(Plan plan, TaskSchedule changed) {
  plan.task = changed.task;
  plan.schedule = std::move(changed.schedule);
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), false, {}};
  plan.bound = bound::lower_bounds(problem_of(plan)).front();
  return verify::verify(plan);
}

TEST(ReversedPlan, keeps_plans_valid_and_undoes_itself) {
  for (const char* collective : {"allgather", "scatter", "alltoall"}) {
    for (const std::uint64_t parts : {1u, 3u}) {
      const Plan plan = planned("hypercube:4", collective, 0, parts);
      const TaskSchedule once = reverse(plan.network, plan.task, plan.schedule);
      EXPECT_TRUE(check(plan, once).optimal) << collective;

      const TaskSchedule twice = reverse(plan.network, once.task, once.schedule);
      EXPECT_EQ(twice.task, plan.task);
      EXPECT_EQ(twice.schedule.stages[0].rounds.size(), plan.schedule.stages[0].rounds.size());
      EXPECT_TRUE(check(plan, twice).optimal) << collective;
    }
  }
}

TEST(ReversedPlan, of_listed_packets_lists_them_mirrored) {
  const Plan plan = verify::expand(planned("hypercube:3", "alltoall"));
  const TaskSchedule back = reverse(plan.network, plan.task, plan.schedule);

  EXPECT_EQ(back.schedule.stages[0].packets.size(), plan.schedule.stages[0].packets.size());
  EXPECT_TRUE(check(plan, back).valid);
}

TEST(TranslatedPlan, moves_the_root) {
  const Plan plan = planned("hypercube:5", "scatter", 0, 2);
  for (Node root = 0; root < plan.network.order(); ++root) {
    const TaskSchedule moved = translate(plan.network, plan.task, plan.schedule, root);
    EXPECT_EQ(moved.task.root, root);
    EXPECT_TRUE(check(plan, moved).optimal) << root;
    EXPECT_EQ(moved.schedule, planned("hypercube:5", "scatter", root, 2).schedule);
  }
}

TEST(ConcatenatedPlan, makes_allreduce_of_its_halves) {
  const Plan plan = planned("hypercube:5", "allreduce", 0, 3);

  EXPECT_EQ(plan.schedule.stages.size(), 2u);
  EXPECT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(plan.schedule.round_count(), 2 * ((31 * 3 + 4) / 5u));
}

}  // namespace
}  // namespace isotrope::schedule
