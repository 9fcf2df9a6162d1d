// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/link_load.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using Loads = std::vector<std::uint64_t>;

// On ring:4: two packets over one link, then one over each of two links, then nothing.
Schedule on_the_ring(Replication replication) {
  Stage stage{Flow::move, replication, {}, {}};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({1, 2, 0});
  stage.rounds.add({2, 0, 0});
  stage.rounds.close_round();
  stage.rounds.add({0, 1, 0});
  stage.rounds.add({1, 0, 0});
  stage.rounds.close_round();
  stage.rounds.close_round();
  return {PortModel::all(), RoundKind::aggregated, {stage}};
}

TEST(LinkLoads, count_packets_on_the_busiest_link) {
  EXPECT_EQ(link_loads(network::parse("ring:4"), on_the_ring(Replication::none())), (Loads{2, 1, 0}));
}

// Node 2 is an even translate of node 0, node 1 is not; under all translations every node is.
TEST(LinkLoads, count_the_translates_of_replicated_hops) {
  EXPECT_EQ(link_loads(network::parse("ring:4"), on_the_ring(Replication::even(0))), (Loads{3, 1, 0}));
  EXPECT_EQ(link_loads(network::parse("ring:4"), on_the_ring(Replication::all())), (Loads{3, 2, 0}));
}

TEST(LinkLoads, follow_stage_after_stage) {
  Schedule schedule = on_the_ring(Replication::none());
  schedule.stages.push_back(schedule.stages.front());
  EXPECT_EQ(link_loads(network::parse("ring:4"), schedule), (Loads{2, 1, 0, 2, 1, 0}));
}

}  // namespace
}  // namespace isotrope::schedule
