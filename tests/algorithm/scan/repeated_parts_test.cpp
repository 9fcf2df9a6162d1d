// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/repeated_parts.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Hop;
using schedule::PortModel;
using schedule::RoundKind;
using schedule::Schedule;

// Hops by round; every node adds its own contribution only, as the test looks at rounds alone.
Schedule of_rounds(const std::vector<std::vector<Hop>>& rounds, PortModel ports) {
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  stage.sums = {{0, {0}}};
  stage.result.assign(4, {0});
  for (const auto& round : rounds) {
    for (const Hop& hop : round) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  return {ports, RoundKind::strict, {stage}};
}

const network::Network& ring() {
  static const network::Network network = network::parse("ring:4");
  return network;
}

std::uint64_t interval_of(const Schedule& group) {
  return RepeatedParts(ring(), group).interval();
}

TEST(RepeatedParts, wait_until_links_are_free) {
  const Hop hop{0, 0, 0}, other{0, 1, 0};
  EXPECT_EQ(interval_of(of_rounds({{hop}, {other}, {}}, PortModel::all())), 1U);
  EXPECT_EQ(interval_of(of_rounds({{hop}, {hop}}, PortModel::all())), 2U);
  EXPECT_EQ(interval_of(of_rounds({{hop}, {}, {}, {hop}}, PortModel::all())), 2U);
  EXPECT_EQ(interval_of(of_rounds({{hop}, {}, {hop}}, PortModel::all())), 3U);
}

TEST(RepeatedParts, wait_until_ports_are_free) {
  const Hop right{0, 0, 0}, left{0, 0, 1}, from_the_left{0, 0, 0}, from_the_right{0, 2, 1};
  EXPECT_EQ(interval_of(of_rounds({{right}, {left}}, PortModel::all())), 1U);
  EXPECT_EQ(interval_of(of_rounds({{right}, {left}}, PortModel::one())), 2U);
  EXPECT_EQ(interval_of(of_rounds({{from_the_left}, {from_the_right}}, PortModel::one())), 2U);
}

TEST(RepeatedParts, wait_until_nodes_are_free_over_half_duplex_ports) {
  const Hop there{0, 0, 0}, back{0, 1, 1}, elsewhere{0, 2, 0};
  EXPECT_EQ(interval_of(of_rounds({{there}, {back}}, PortModel::half())), 2U);
  EXPECT_EQ(interval_of(of_rounds({{there}, {elsewhere}}, PortModel::half())), 1U);
}

TEST(RepeatedParts, go_together_in_aggregated_rounds) {
  Schedule schedule = of_rounds({{{0, 0, 0}}, {{0, 1, 0}}}, PortModel::all());
  schedule.round_kind = RoundKind::aggregated;
  EXPECT_EQ(interval_of(schedule), 0U);
  EXPECT_EQ(RepeatedParts(ring(), schedule).schedule(5).round_count(), 2U);
}

TEST(RepeatedParts, have_their_own_sums_and_results) {
  const Schedule schedule = of_rounds({{{0, 0, 0}}, {}, {{0, 0, 0}}}, PortModel::all());
  const Schedule repeated = RepeatedParts(ring(), schedule).schedule(3);
  const schedule::Stage& stage = repeated.stages.front();
  ASSERT_EQ(stage.rounds.size(), 6U);
  EXPECT_EQ(stage.result.size(), 12U);
  ASSERT_EQ(stage.sums.size(), 3U);
  for (std::uint32_t part = 0; part < 3; ++part) {
    EXPECT_EQ(stage.sums[part].part, part);
    for (const std::uint64_t t : {2 * part, 2 * part + 1}) {
      ASSERT_EQ(stage.rounds.round(t).size(), 1U);
      EXPECT_EQ(stage.rounds.round(t).front(), (Hop{part, 0, 0}));
    }
  }
}

// Part 1 of the group goes after part 0, and a round between stays empty; of five parts the third group has part 0 alone.
TEST(RepeatedParts, leave_out_what_a_last_group_has_too_many) {
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  stage.sums = {{0, {0}}, {1, {0}}};
  stage.result.assign(8, {0});
  stage.rounds.add({0, 0, 0});
  stage.rounds.close_round();
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 0});
  stage.rounds.close_round();
  const RepeatedParts pairs(ring(), {PortModel::all(), RoundKind::strict, {stage}});
  EXPECT_EQ(pairs.group_parts(), 2U);
  EXPECT_EQ(pairs.interval(), 3U);
  for (const auto& [parts, rounds] :
       {std::pair(1U, 1U), std::pair(2U, 2U), std::pair(5U, 5U), std::pair(6U, 6U)}) {
    const Schedule repeated = pairs.schedule(parts);
    EXPECT_EQ(pairs.rounds(parts), rounds);
    EXPECT_EQ(repeated.round_count(), rounds);
    EXPECT_EQ(repeated.hop_count(), parts);
    EXPECT_EQ(repeated.stages.front().sums.size(), parts);
    EXPECT_EQ(repeated.stages.front().result.size(), 4 * parts);
  }
}

}  // namespace
}  // namespace isotrope::algorithm
