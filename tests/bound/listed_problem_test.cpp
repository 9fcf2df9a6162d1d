// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/listed_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;
using schedule::Delivery;
using schedule::Flow;
using schedule::Packet;
using schedule::RelativeDestination;
using schedule::Replication;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// A plan on a ring of 5 whose only stage lists `packets`.
Plan listing(Collective collective, Replication replication, std::vector<Packet> packets) {
  Plan plan{network::parse("ring:5"), {}, {.collective = collective, .parts = 2}, {}, {}, {}};
  plan.schedule.stages = {{Flow::move, replication, std::move(packets), {}}};
  return plan;
}

TEST(ListedProblem, of_an_isotropic_plan_has_the_packets_of_node_0) {
  const auto problem =
      listed_problem(listing(Collective::isotropic, Replication::all(), {{0, 2, 0, 0}, {0, 2, 0, 1}}));
  EXPECT_EQ(problem->task.collective, Collective::isotropic);
  EXPECT_EQ(problem->task.parts, 1U);
  EXPECT_THAT(problem->task.destinations, ElementsAre(RelativeDestination{2}, RelativeDestination{2}));
}

TEST(ListedProblem, without_translates_is_a_task) {
  for (const Collective collective : {Collective::isotropic, Collective::task}) {
    const auto problem =
        listed_problem(listing(collective, Replication::none(), {{1, 3, 0, 0}, {2, 4, 0, 0}}));
    EXPECT_EQ(problem->task.collective, Collective::task);
    EXPECT_THAT(problem->task.deliveries, ElementsAre(Delivery{1, 3}, Delivery{2, 4}));
  }
}

TEST(ListedProblem, of_other_collectives_keeps_the_task) {
  const Plan plan = listing(Collective::alltoall, Replication::all(), {});
  EXPECT_EQ(listed_problem(plan)->task, plan.task);
}

// A block is an origin's number.
TEST(ListedProblem, of_an_allreduce_has_the_blocks_of_its_packets) {
  Plan plan = listing(Collective::allreduce, Replication::none(),
                      {{1, schedule::to_all, 0, 0},
                       {1, schedule::to_all, 0, 1},
                       {1, schedule::to_all, 1, 0},
                       {1, schedule::to_all, 1, 1},
                       {4, schedule::to_all, 0, 0},
                       {4, schedule::to_all, 0, 1}});
  plan.schedule.stages[0].flow = Flow::reduce_then_copy;
  EXPECT_EQ(listed_problem(plan)->task.vector_blocks, 3U);
}

TEST(ListedProblem, has_no_bound_if_the_traffic_is_unknown) {
  Plan plan = listing(Collective::task, Replication::none(), {{1, 3, 0, 0}});
  EXPECT_THAT(listed_bounds(plan), Not(IsEmpty()));
  plan.schedule.stages[0].packets.push_back({2, schedule::to_all, 0, 0});
  EXPECT_FALSE(listed_problem(plan).has_value());
  EXPECT_THAT(listed_bounds(plan), IsEmpty());
  plan.schedule.stages.clear();
  EXPECT_THAT(listed_bounds(plan), IsEmpty());
}

}  // namespace
}  // namespace isotrope::bound
