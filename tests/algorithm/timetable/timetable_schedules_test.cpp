// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/timetable_check.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::Hop;
using schedule::PortModel;
using testing::UnorderedElementsAre;

// The drawing of timetable.hpp, on a ring of 5.
Timetable of_a_ring() {
  Timetable result(5, 1, 2);
  result.at(0, 1) = {1, 0};
  result.at(0, 2) = {0, 0};
  result.at(0, 3) = {0, 1};
  result.at(0, 4) = {1, 1};
  return result;
}

// From node 1, packet = relative destination: those for addresses 2 and 3 leave first.
TEST(TimetableSchedules, scatter_on_a_ring) {
  const Network ring = network::parse("ring:5");
  const schedule::Schedule schedule = timetable_scatter(ring, 1, 1, PortModel::all(), of_a_ring());
  EXPECT_EQ(schedule.round_kind, schedule::RoundKind::aggregated);
  ASSERT_EQ(schedule.stages.size(), 1U);
  const schedule::Stage& stage = schedule.stages.front();
  EXPECT_EQ(stage.flow, schedule::Flow::move);
  EXPECT_EQ(stage.replication, schedule::Replication::none());
  ASSERT_EQ(stage.rounds.size(), 2U);
  EXPECT_THAT(stage.rounds.round(0), UnorderedElementsAre(Hop{2, 1, 0}, Hop{3, 1, 1}));
  EXPECT_THAT(stage.rounds.round(1),
              UnorderedElementsAre(Hop{1, 1, 0}, Hop{2, 2, 0}, Hop{4, 1, 1}, Hop{3, 0, 1}));
}

// Node 1 hears from 0 before it tells 2; two parts by one table merge.
TEST(TimetableSchedules, allgather_on_a_ring) {
  const Network ring = network::parse("ring:5");
  const schedule::Schedule schedule = timetable_allgather(ring, 2, PortModel::all(), of_a_ring());
  const schedule::Stage& stage = schedule.stages.front();
  EXPECT_EQ(stage.flow, schedule::Flow::copy);
  EXPECT_EQ(stage.replication, schedule::Replication::all());
  ASSERT_EQ(stage.rounds.size(), 2U);
  EXPECT_THAT(stage.rounds.round(0),
              UnorderedElementsAre(Hop{0, 0, 0}, Hop{0, 0, 1}, Hop{1, 0, 0}, Hop{1, 0, 1}));
  EXPECT_THAT(stage.rounds.round(1),
              UnorderedElementsAre(Hop{0, 1, 0}, Hop{0, 4, 1}, Hop{1, 1, 0}, Hop{1, 4, 1}));
}

TEST(TimetableSchedules, alltoall_on_a_ring) {
  const Network ring = network::parse("ring:5");
  const schedule::Stage stage = timetable_exchange(ring, 1, PortModel::all(), of_a_ring()).stages.front();
  EXPECT_EQ(stage.replication, schedule::Replication::all());
  EXPECT_THAT(stage.rounds.round(0), UnorderedElementsAre(Hop{2, 0, 0}, Hop{3, 0, 1}));
  EXPECT_THAT(stage.rounds.round(1),
              UnorderedElementsAre(Hop{1, 0, 0}, Hop{2, 1, 0}, Hop{3, 4, 1}, Hop{4, 0, 1}));
  check_timetable(ring, 3, PortModel::all(), of_a_ring());
}

// Two tables for three parts: the first and the last part go together.
TEST(TimetableSchedules, use_tables_in_turn) {
  const Network pair = network::parse("torus:2x2");
  Timetable timetable(4, 2, 2);
  timetable.at(0, 1) = {1, 1};
  timetable.at(0, 2) = {0, 0};
  timetable.at(0, 3) = {0, 0};
  timetable.at(1, 1) = {0, 1};
  timetable.at(1, 2) = {1, 0};
  timetable.at(1, 3) = {0, 1};
  expect_chains(pair, timetable, true);
  const verify::Report report = check_timetable(pair, 3, PortModel::all(), timetable);
  EXPECT_THAT(report.link_load, testing::ElementsAre(2U, 4U));
}

TEST(TimetableSchedules, of_a_single_node_are_empty) {
  const Network node = network::parse("ring:1");
  EXPECT_EQ(timetable_allgather(node, 2, PortModel::all(), Timetable(1, 1, 0)).hop_count(), 0U);
  EXPECT_EQ(timetable_scatter(node, 0, 2, PortModel::all(), Timetable(1, 1, 0)).round_count(), 0U);
}

}  // namespace
}  // namespace isotrope::algorithm
