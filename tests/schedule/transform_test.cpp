// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/transform.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

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
  EXPECT_EQ(stage.flow, Flow::reduce);
  EXPECT_EQ(stage.rounds.round(0)[0], (Hop{0, 2, 1}));
  EXPECT_EQ(stage.rounds.round(1)[0], (Hop{0, 1, 1}));
}

TEST(Append, makes_a_round_of_each_list) {
  Rounds rounds;
  rounds.add({7, 2, 1});
  rounds.close_round();
  append(std::vector<std::vector<Hop>>{{{0, 0, 0}, {1, 0, 1}}, {}, {{0, 1, 0}}}, rounds);
  ASSERT_EQ(rounds.size(), 4u);
  EXPECT_EQ(rounds.hop_count(), 4u);
  EXPECT_EQ(rounds.round(1)[1], (Hop{1, 0, 1}));
  EXPECT_TRUE(rounds.round(2).empty());
  EXPECT_EQ(rounds.round(3)[0], (Hop{0, 1, 0}));
}

TEST(Reverse, refuses_what_reaches_a_node_twice) {
  const Network ring = network::parse("ring:3");
  Schedule schedule;
  schedule.stages.push_back({Flow::copy, Replication::none(), {}, {}});
  for (const Hop hop : {Hop{0, 0, 0}, Hop{0, 0, 1}, Hop{0, 1, 0}}) schedule.stages[0].rounds.add(hop);
  schedule.stages[0].rounds.close_round();

  EXPECT_THROW(reverse(ring, parse_task("broadcast", ring), schedule), Error);
}

TEST(Concatenate, refuses_different_models) {
  Schedule one, all;
  one.ports = PortModel::one();
  EXPECT_THROW(concatenate(one, all), Error);
}

TEST(Translate, shifts_senders_and_listed_packets) {
  const Network ring = network::parse("ring:5");
  Schedule schedule;
  schedule.stages.push_back({Flow::move, Replication::none(), {{1, 3, 0, 0}}, {}});
  schedule.stages[0].rounds.add({0, 1, 0});
  schedule.stages[0].rounds.close_round();

  const TaskSchedule moved = translate(ring, parse_task("scatter", ring, 1), schedule, 4);

  EXPECT_EQ(moved.task.root, 4u);
  EXPECT_EQ(moved.schedule.stages[0].packets[0], (Packet{4, 1, 0, 0}));
  EXPECT_EQ(moved.schedule.stages[0].rounds.round(0)[0], (Hop{0, 4, 0}));
}

TEST(Translate, needs_a_root_inside_the_network) {
  const Network ring = network::parse("ring:5");
  EXPECT_THROW(translate(ring, parse_task("scatter", ring), {}, 5), Error);
  EXPECT_THROW(translate(ring, parse_task("alltoall", ring), {}, 1), Error);
}

// A packet of a strict schedule stands for those that travel in one message.
TEST(GroupPackets, sends_the_packets_of_a_block_together) {
  Schedule schedule;
  schedule.stages.push_back({Flow::move, Replication::none(), {{0, 1, 7, 0}, {0, 1, 7, 1}}, {}});
  schedule.stages[0].rounds.add({0, 0, 0});
  schedule.stages[0].rounds.close_round();
  schedule.stages[0].rounds.add({1, 0, 0});
  schedule.stages[0].rounds.close_round();

  const Schedule grouped = group_packets(schedule, 5, 3);

  EXPECT_EQ(grouped.round_kind, RoundKind::aggregated);
  const Stage& stage = grouped.stages[0];
  EXPECT_EQ(stage.packets,
            (std::vector<Packet>{{0, 1, 7, 0}, {0, 1, 7, 1}, {0, 1, 7, 2}, {0, 1, 7, 3}, {0, 1, 7, 4}}));
  EXPECT_EQ(stage.rounds.round(0).size(), 3u);
  ASSERT_EQ(stage.rounds.round(1).size(), 2u);
  EXPECT_EQ(stage.rounds.round(1)[0], (Hop{3, 0, 0}));
  EXPECT_EQ(stage.rounds.round(1)[1], (Hop{4, 0, 0}));
}

// 3 parts in groups of 2: the sum of group 0 becomes those of parts 0 and 1, the sum of group 1 that of part 2.
TEST(GroupPackets, of_an_exchange_are_sums_of_as_many_parts) {
  Schedule schedule;
  Stage& stage = schedule.stages.emplace_back(Stage{Flow::exchange, Replication::all(), {}, {}});
  stage.sums = {{0, {0}}, {1, {0}}};
  stage.result = {{0, 1}, {1, 0}};
  stage.rounds.add({1, 0, 3});
  stage.rounds.add({0, 0, 2});
  stage.rounds.close_round();

  const Schedule grouped = group_packets(schedule, 3, 2);
  EXPECT_EQ(grouped.round_kind, RoundKind::aggregated);
  const Stage& result = grouped.stages.at(0);
  EXPECT_EQ(result.sums, (std::vector<Sum>{{0, {0}}, {1, {0}}, {2, {0}}}));
  EXPECT_EQ(result.result, (std::vector<std::vector<ValueId>>{{0, 1}, {0, 1}, {1, 0}}));
  ASSERT_EQ(result.rounds.round(0).size(), 3u);
  EXPECT_EQ(result.rounds.round(0)[0], (Hop{2, 0, 3}));
  EXPECT_EQ(result.rounds.round(0)[1], (Hop{0, 0, 2}));
  EXPECT_EQ(result.rounds.round(0)[2], (Hop{1, 0, 2}));
}

}  // namespace
}  // namespace isotrope::schedule
