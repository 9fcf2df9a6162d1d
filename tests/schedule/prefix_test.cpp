// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/prefix.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// Every node gathers all vectors of a ring of 4: its own, then those of v - 1, v + 1 and v - 2.
Stage gathered_ring() {
  Stage stage{Flow::exchange, Replication::all(), {}, {}, {{0, {0}}, {0, {1}}}, {{1, 0, 2, 3}}};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({0, 0, 1});
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 0});
  stage.rounds.close_round();
  return stage;
}

TEST(PrefixValues, are_those_of_the_nodes_up_to_a_node) {
  const auto ring = network::parse("ring:4");
  const Stage stage = gathered_ring();
  const Task scan{.collective = Collective::scan}, exscan{.collective = Collective::exscan};
  const PrefixValues up_to(ring, scan, stage), before(ring, exscan, stage);
  EXPECT_THAT(up_to.result(0, 0), ElementsAre(0));
  EXPECT_THAT(up_to.result(0, 1), ElementsAre(0, 1));
  EXPECT_THAT(up_to.result(0, 2), ElementsAre(0, 1, 3));
  EXPECT_THAT(up_to.result(0, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(before.result(0, 0), IsEmpty());
  EXPECT_THAT(before.result(0, 1), ElementsAre(1));
  EXPECT_THAT(before.result(0, 3), ElementsAre(1, 2, 3));
}

// The sum of a whole row comes from the node across: after node (0, c), and before node (1, c).
TEST(PrefixValues, leave_out_sums_that_reach_beyond_the_node) {
  const auto torus = network::parse("torus:2x2");
  Stage stage{Flow::exchange, Replication::all(), {}, {}, {{0, {0}}, {0, {0, 1}}}, {{0, 1, 2}}};
  stage.rounds.add({0, 0, 1});
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 0});
  stage.rounds.close_round();
  const Task scan{.collective = Collective::scan};
  const PrefixValues values(torus, scan, stage);
  EXPECT_THAT(values.result(0, 0), ElementsAre(0));
  EXPECT_THAT(values.result(0, 1), ElementsAre(0, 1));
  EXPECT_THAT(values.result(0, 2), ElementsAre(0, 2));
  EXPECT_THAT(values.result(0, 3), ElementsAre(0, 1, 2));
}

TEST(PrefixValues, refuse_a_value_that_never_comes) {
  const auto ring = network::parse("ring:4");
  Stage stage = gathered_ring();
  stage.result = {{0, 4}};
  const Task scan{.collective = Collective::scan};
  const PrefixValues values(ring, scan, stage);
  EXPECT_THAT([&] { values.result(0, 0); }, ThrowsMessage<Error>(HasSubstr("has values 0..3")));
}

}  // namespace
}  // namespace isotrope::schedule
