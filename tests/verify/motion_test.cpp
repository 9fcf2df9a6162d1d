// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting, barriers and limits of steps: what the checker says of a plan and of plans near it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {
namespace {

using schedule::Hop;
using schedule::Replication;
using schedule::Stage;
using testing::HasSubstr;
using Lists = std::vector<std::vector<Hop>>;

// An alltoall on a ring of 4, whose packets half-way round go one way from even nodes and the other way from odd ones.
schedule::Plan ring_plan(const Lists& rounds) {
  const auto network = network::parse("ring:4");
  Stage stage{schedule::Flow::move, Replication::even(0), {}, {}};
  stage.packets = {{0, 1, 1, 0}, {0, 3, 3, 0}, {0, 2, 2, 0}, {1, 2, 1, 0}, {1, 0, 3, 0}, {1, 3, 2, 0}};
  for (const auto& hops : rounds) {
    for (const Hop& hop : hops) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  schedule::Schedule schedule;
  schedule.stages.push_back(std::move(stage));
  schedule.waiting = false;
  const auto task = schedule::parse_task("alltoall", network, 0, 1);
  const schedule::Claims claims{schedule.round_count(), schedule.hop_count(), {}, {}};
  return {network, {}, task, std::move(schedule), {}, claims};
}

const std::vector<Hop> near{{0, 0, 0}, {1, 0, 1}, {3, 1, 0}, {4, 1, 1}}, first{{2, 0, 0}, {5, 1, 1}},
    second{{2, 1, 0}, {5, 0, 1}};

schedule::Plan in_two_steps() {
  schedule::Plan plan = ring_plan({near, first, second});
  plan.schedule.barriers = {1};
  plan.schedule.step_limits = {2, 1};
  return plan;
}

// The first violation of a plan that has one.
Violation violation(const schedule::Plan& plan) {
  const Report report = verify(plan);
  EXPECT_FALSE(report.valid);
  return report.violations.empty() ? Violation{Rule::claim, "none"} : report.violations.front();
}

TEST(Motion, of_a_valid_plan) {
  const Report report = verify(in_two_steps());
  EXPECT_TRUE(report.valid);
  EXPECT_EQ(report.step_sends, (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(report.step_load, (std::vector<std::uint64_t>{1, 1}));
}

TEST(Motion, a_packet_that_waits_is_found) {
  const schedule::Plan plan = ring_plan({first, near, second});
  const Violation found = violation(plan);
  EXPECT_EQ(found.rule, Rule::waiting);
  EXPECT_EQ(found.packet, 2u);
  EXPECT_EQ(found.round, 2u);
  EXPECT_THAT(found.message, HasSubstr("has waited since round 0"));
  schedule::Plan may_wait = plan;
  may_wait.schedule.waiting = true;
  EXPECT_TRUE(verify(may_wait).valid);
}

TEST(Motion, a_packet_on_its_way_at_a_barrier_is_found) {
  schedule::Plan plan = in_two_steps();
  plan.schedule.barriers = {2};
  plan.schedule.step_limits.reset();
  EXPECT_EQ(violation(plan).rule, Rule::barrier);
  plan.schedule.barriers = {1, 2};
  EXPECT_EQ(violation(plan).rule, Rule::barrier);
}

TEST(Motion, limits_of_steps_are_kept) {
  schedule::Plan plan = in_two_steps();
  plan.schedule.step_limits = {1, 1};
  EXPECT_EQ(violation(plan).rule, Rule::step);
  EXPECT_THAT(violation(plan).message, HasSubstr("sends 2 packets of its own, and at most 1"));
  plan.schedule.step_limits = {3, 1};
  plan.schedule.barriers.clear();
  EXPECT_THAT(violation(plan).message, HasSubstr("a link carries 2 packets, and at most 1"));
  plan.schedule.step_limits = {3, 2};
  EXPECT_TRUE(verify(plan).valid);
}

TEST(Motion, belongs_to_plans_of_one_stage_of_moves) {
  schedule::Plan plan = in_two_steps();
  plan.schedule.barriers = {2, 1};
  EXPECT_EQ(violation(plan).rule, Rule::structure);
  plan.schedule.barriers = {3};
  EXPECT_EQ(violation(plan).rule, Rule::structure);
  plan.schedule.barriers = {0};
  EXPECT_EQ(violation(plan).rule, Rule::structure);
  plan = in_two_steps();
  plan.schedule.stages.push_back(plan.schedule.stages.front());
  EXPECT_EQ(violation(plan).rule, Rule::structure);
  plan = in_two_steps();
  plan.schedule.stages.front().flow = schedule::Flow::copy;
  EXPECT_EQ(violation(plan).rule, Rule::structure);
}

// Each class is checked by itself: here the packet of odd origins alone waits.
TEST(Motion, looks_at_every_class) {
  const schedule::Plan plan = ring_plan({{first[0], first[1]}, {second[0]}, near, {second[1]}});
  const Violation found = violation(plan);
  EXPECT_EQ(found.rule, Rule::waiting);
  EXPECT_EQ(found.packet, 5u);
}

}  // namespace
}  // namespace isotrope::verify
