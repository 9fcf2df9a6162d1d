// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/transform.hpp"

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::schedule {
namespace {

Plan planned(std::string_view network_name, std::string_view collective, Node root = 0,
             std::uint64_t parts = 1) {
  const Network network = network::parse(network_name);
  return planner::make_plan({network, parse_task(collective, network, root, parts)});
}

// The same plan with another task and schedule, claims brought up to date.
verify::Report check(Plan plan, TaskSchedule changed) {
  plan.task = changed.task;
  plan.schedule = std::move(changed.schedule);
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), false, {}};
  plan.bound = lower_bounds(plan.network, plan.task, plan.schedule.ports, plan.schedule.round_kind).front();
  return verify::verify(plan);
}

// ring:3, node 0 to both neighbours, then backwards.
TEST(Reverse, of_a_broadcast_is_a_reduction) {
  const Network ring = network::parse("ring:3");
  const Task broadcast = parse_task("broadcast", ring);
  Schedule schedule;
  schedule.stages.push_back({Flow::copy, Replication::none(), {}, {}});
  schedule.stages[0].rounds.add({0, 0, 0});
  schedule.stages[0].rounds.close_round();
  schedule.stages[0].rounds.add({0, 1, 0});
  schedule.stages[0].rounds.close_round();

  const TaskSchedule back = reverse(ring, broadcast, schedule);

  EXPECT_EQ(back.task.collective, Collective::reduce);
  const Stage& stage = back.schedule.stages[0];
  EXPECT_EQ(stage.flow, Flow::combine);
  EXPECT_EQ(stage.rounds.round(0)[0], (Hop{0, 2, 1}));
  EXPECT_EQ(stage.rounds.round(1)[0], (Hop{0, 1, 1}));
}

TEST(Reverse, keeps_plans_valid_and_undoes_itself) {
  for (const char* collective : {"allgather", "scatter", "alltoall"}) {
    for (std::uint64_t parts : {1, 3}) {
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

TEST(Reverse, of_listed_packets_lists_them_mirrored) {
  const Plan plan = verify::expand(planned("hypercube:3", "alltoall"));
  const TaskSchedule back = reverse(plan.network, plan.task, plan.schedule);

  EXPECT_EQ(back.schedule.stages[0].packets.size(), plan.schedule.stages[0].packets.size());
  EXPECT_TRUE(check(plan, back).valid);
}

TEST(Reverse, refuses_what_reaches_a_node_twice) {
  const Network ring = network::parse("ring:3");
  Schedule schedule;
  schedule.stages.push_back({Flow::copy, Replication::none(), {}, {}});
  for (const Hop hop : {Hop{0, 0, 0}, Hop{0, 0, 1}, Hop{0, 1, 0}}) schedule.stages[0].rounds.add(hop);
  schedule.stages[0].rounds.close_round();

  EXPECT_THROW(reverse(ring, parse_task("broadcast", ring), schedule), Error);
}

TEST(Translate, moves_the_root) {
  const Plan plan = planned("hypercube:5", "scatter", 0, 2);
  for (Node root = 0; root < plan.network.order(); ++root) {
    const TaskSchedule moved = translate(plan.network, plan.task, plan.schedule, root);
    EXPECT_EQ(moved.task.root, root);
    EXPECT_TRUE(check(plan, moved).optimal) << root;
    EXPECT_EQ(moved.schedule, planned("hypercube:5", "scatter", root, 2).schedule);
  }
  EXPECT_THROW(translate(plan.network, plan.task, plan.schedule, 32), Error);
  const Plan unrooted = planned("hypercube:3", "alltoall");
  EXPECT_THROW(translate(unrooted.network, unrooted.task, unrooted.schedule, 1), Error);
}

TEST(Concatenate, makes_allreduce_of_its_halves) {
  const Plan plan = planned("hypercube:5", "allreduce", 0, 3);

  EXPECT_EQ(plan.schedule.stages.size(), 2u);
  EXPECT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(plan.schedule.round_count(), 2 * ((31 * 3 + 4) / 5u));
}

TEST(Concatenate, refuses_different_models) {
  Schedule one, all;
  one.ports = PortModel::one();
  EXPECT_THROW(concatenate(one, all), Error);
}

}  // namespace
}  // namespace isotrope::schedule
