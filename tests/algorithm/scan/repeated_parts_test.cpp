// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/repeated_parts.hpp"

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

TEST(RepeatedParts, wait_until_links_are_free) {
  const Hop hop{0, 0, 0}, other{0, 1, 0};
  EXPECT_EQ(part_interval(ring(), of_rounds({{hop}, {other}, {}}, PortModel::all())), 1U);
  EXPECT_EQ(part_interval(ring(), of_rounds({{hop}, {hop}}, PortModel::all())), 2U);
  EXPECT_EQ(part_interval(ring(), of_rounds({{hop}, {}, {}, {hop}}, PortModel::all())), 2U);
  EXPECT_EQ(part_interval(ring(), of_rounds({{hop}, {}, {hop}}, PortModel::all())), 3U);
}

TEST(RepeatedParts, wait_until_ports_are_free) {
  const Hop right{0, 0, 0}, left{0, 0, 1}, from_the_left{0, 0, 0}, from_the_right{0, 2, 1};
  EXPECT_EQ(part_interval(ring(), of_rounds({{right}, {left}}, PortModel::all())), 1U);
  EXPECT_EQ(part_interval(ring(), of_rounds({{right}, {left}}, PortModel::one())), 2U);
  EXPECT_EQ(part_interval(ring(), of_rounds({{from_the_left}, {from_the_right}}, PortModel::one())), 2U);
}

TEST(RepeatedParts, go_together_in_aggregated_rounds) {
  Schedule schedule = of_rounds({{{0, 0, 0}}, {{0, 1, 0}}}, PortModel::all());
  schedule.round_kind = RoundKind::aggregated;
  EXPECT_EQ(part_interval(ring(), schedule), 0U);
  EXPECT_EQ(repeated_parts(ring(), schedule, 5).round_count(), 2U);
}

TEST(RepeatedParts, have_their_own_sums_and_results) {
  const Schedule schedule = of_rounds({{{0, 0, 0}}, {}, {{0, 0, 0}}}, PortModel::all());
  const Schedule repeated = repeated_parts(ring(), schedule, 3);
  const schedule::Stage& stage = repeated.stages.front();
  ASSERT_EQ(stage.rounds.size(), 9U);
  EXPECT_EQ(stage.result.size(), 12U);
  ASSERT_EQ(stage.sums.size(), 3U);
  for (std::uint32_t part = 0; part < 3; ++part) {
    EXPECT_EQ(stage.sums[part].part, part);
    ASSERT_EQ(stage.rounds.round(3 * part).size(), 1U);
    EXPECT_EQ(stage.rounds.round(3 * part).front(), (Hop{part, 0, 0}));
    EXPECT_TRUE(stage.rounds.round(3 * part + 1).empty());
  }
}

}  // namespace
}  // namespace isotrope::algorithm
