// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/exchanges.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Schedule allgather(const std::vector<std::vector<Hop>>& rounds) {
  Stage stage{Flow::copy, Replication::all(), {}, {}};
  for (const std::vector<Hop>& round : rounds) {
    for (const Hop& hop : round) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  return {PortModel::all(), RoundKind::strict, {std::move(stage)}};
}

std::vector<std::vector<Hop>> rounds_of(const Schedule& schedule) {
  const Rounds& rounds = schedule.stages.at(0).rounds;
  std::vector<std::vector<Hop>> result;
  for (std::uint64_t t = 0; t < rounds.size(); ++t)
    result.emplace_back(rounds.round(t).begin(), rounds.round(t).end());
  return result;
}

// Node 0 sends its own value both ways.
TEST(GatherThenReduce, of_a_ring_of_three) {
  const auto ring = network::parse("ring:3");
  const Schedule made = gather_then_reduce(ring, 1, allgather({{{0, 0, 0}, {0, 0, 1}}}));
  ASSERT_EQ(made.stages.size(), 1u);
  const Stage& stage = made.stages[0];
  EXPECT_EQ(stage.flow, Flow::exchange);
  EXPECT_EQ(stage.replication, Replication::all());
  EXPECT_TRUE(stage.packets.empty());
  EXPECT_EQ(rounds_of(made), (std::vector<std::vector<Hop>>{{{0, 0, 0}, {1, 0, 1}}}));
  EXPECT_EQ(stage.sums, (std::vector<Sum>{{0, {0}}, {0, {0}}}));
  EXPECT_THAT(stage.result, ElementsAre(ElementsAre(0, 1, 2)));
  EXPECT_EQ(made.ports, PortModel::all());
  EXPECT_EQ(made.round_kind, RoundKind::strict);
}

// In round 1 the node that is 1 away from the origin passes on, over port 1, what came first.
TEST(GatherThenReduce, of_a_square_numbers_what_comes) {
  const auto square = network::parse("hypercube:2");
  const Schedule made = gather_then_reduce(square, 1, allgather({{{0, 0, 0}, {0, 0, 1}}, {{0, 1, 1}}}));
  EXPECT_EQ(rounds_of(made), (std::vector<std::vector<Hop>>{{{0, 0, 0}, {1, 0, 1}}, {{2, 0, 1}}}));
  EXPECT_EQ(made.stages[0].sums, (std::vector<Sum>{{0, {0}}, {0, {0}}, {0, {1}}}));
  EXPECT_THAT(made.stages[0].result, ElementsAre(ElementsAre(0, 1, 2, 3)));

  // The same the other way round: the second that came goes over port 0.
  const Schedule mirrored = gather_then_reduce(square, 1, allgather({{{0, 0, 0}, {0, 0, 1}}, {{0, 2, 0}}}));
  EXPECT_EQ(mirrored.stages[0].sums.back(), (Sum{0, {2}}));
}

TEST(GatherThenReduce, numbers_the_values_of_every_part) {
  const Schedule made = gather_then_reduce(network::parse("ring:3"), 2,
                                           allgather({{{0, 0, 0}, {1, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}}));
  EXPECT_EQ(made.stages[0].sums, (std::vector<Sum>{{0, {0}}, {1, {0}}, {1, {0}}, {0, {0}}}));
  EXPECT_THAT(made.stages[0].result, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(0, 1, 2)));
}

TEST(GatherThenReduce, refuses_what_is_no_allgather) {
  const auto ring = network::parse("ring:3");
  Schedule moving = allgather({{{0, 0, 0}, {0, 0, 1}}});
  moving.stages[0].flow = Flow::move;
  EXPECT_THAT([&] { gather_then_reduce(ring, 1, moving); },
              ThrowsMessage<Error>(HasSubstr("only an allgather")));
  Schedule rooted = allgather({{{0, 0, 0}, {0, 0, 1}}});
  rooted.stages[0].replication = Replication::none();
  EXPECT_THROW(gather_then_reduce(ring, 1, rooted), Error);
  Schedule twice = allgather({{{0, 0, 0}, {0, 0, 1}}});
  twice.stages.push_back(twice.stages[0]);
  EXPECT_THROW(gather_then_reduce(ring, 1, twice), Error);
}

// Over port 1 the own value, over port 0 the sum of it and of the one that came.
TEST(RecursiveDoubling, of_a_square) {
  const Schedule made = recursive_doubling(PortModel::one(), {1, 0});
  EXPECT_EQ(made.ports, PortModel::one());
  EXPECT_EQ(made.round_kind, RoundKind::strict);
  EXPECT_EQ(rounds_of(made), (std::vector<std::vector<Hop>>{{{0, 0, 1}}, {{1, 0, 0}}}));
  ASSERT_EQ(made.stages.size(), 1u);
  EXPECT_EQ(made.stages[0].flow, Flow::exchange);
  EXPECT_EQ(made.stages[0].replication, Replication::all());
  EXPECT_EQ(made.stages[0].sums, (std::vector<Sum>{{0, {0}}, {0, {0, 1}}}));
  EXPECT_THAT(made.stages[0].result, ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(RecursiveDoubling, of_one_node_is_empty) {
  const Schedule made = recursive_doubling(PortModel::all(), {});
  EXPECT_EQ(made.round_count(), 0u);
  EXPECT_THAT(made.stages[0].result, ElementsAre(ElementsAre(0)));
}

}  // namespace
}  // namespace isotrope::schedule
