// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Collective;

verify::Report verified(const network::Network& network, schedule::Task task, schedule::Schedule schedule) {
  return verify::verify({network, {}, std::move(task), std::move(schedule), {}, {}});
}

// Both directions, on networks of even and odd order.
TEST(CycleAllgather, takes_the_least_rounds) {
  for (const char* name :
       {"ring:2", "ring:3", "ring:8", "ring:9", "torus:3x3", "torus:3x5x7", "torus:2x3", "hypercube:3",
        "hexmesh:3", "circulant:15:3,5", "complete:13", "twisted-torus:2x2x4"}) {
    const network::Network network = network::parse(name);
    for (const std::uint32_t parts : {1U, 3U}) {
      const schedule::Task task{.collective = Collective::allgather, .parts = parts};
      const schedule::Schedule schedule = cycle_allgather(network, parts);
      const verify::Report report = verified(network, task, schedule);
      EXPECT_TRUE(report.valid && report.optimal) << name << ", " << parts << " parts";
      EXPECT_EQ(report.rounds, cycle_allgather_rounds(network.order(), parts)) << name;
      auto backwards = reverse(network, task, schedule);
      const verify::Report reduced = verified(network, backwards.task, std::move(backwards.schedule));
      EXPECT_TRUE(reduced.valid && reduced.optimal) << name << ", " << parts << " parts";
    }
  }
}

// Nodes 0 to 3 along the cycle: 0 and 2 send first.
TEST(CycleAllgather, alternates_sends_and_receipts) {
  const schedule::Schedule schedule = cycle_allgather(network::parse("ring:4"), 1);
  const auto& rounds = schedule.stages[0].rounds;
  ASSERT_EQ(rounds.size(), 6u);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    ASSERT_EQ(rounds.round(t).size(), 2u);
    for (const schedule::Hop& hop : rounds.round(t)) EXPECT_EQ(hop.from % 2, t % 2);
  }
}

TEST(CycleAllgather, leaves_a_single_node_alone) {
  EXPECT_EQ(cycle_allgather(network::parse("ring:1"), 2).round_count(), 0u);
}

}  // namespace
}  // namespace isotrope::algorithm
