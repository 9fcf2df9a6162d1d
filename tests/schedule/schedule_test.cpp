// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/schedule.hpp"

#include <gtest/gtest.h>

namespace isotrope::schedule {
namespace {

TEST(Rounds, keep_hops_apart_by_round) {
  Rounds rounds;
  rounds.add({1, 2, 3});
  rounds.add({4, 5, 6});
  rounds.close_round();
  rounds.close_round();
  rounds.add({7, 8, 9});
  rounds.close_round();

  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(rounds.hop_count(), 3u);
  EXPECT_EQ(rounds.round(0).size(), 2u);
  EXPECT_EQ(rounds.round(0)[1], (Hop{4, 5, 6}));
  EXPECT_TRUE(rounds.round(1).empty());
  EXPECT_EQ(rounds.round(2)[0], (Hop{7, 8, 9}));
}

TEST(Schedule, adds_up_its_stages) {
  Schedule schedule;
  schedule.stages.resize(2);
  for (Stage& stage : schedule.stages) {
    stage.rounds.add({});
    stage.rounds.close_round();
  }

  EXPECT_EQ(schedule.round_count(), 2u);
  EXPECT_EQ(schedule.hop_count(), 2u);
}

}  // namespace
}  // namespace isotrope::schedule
