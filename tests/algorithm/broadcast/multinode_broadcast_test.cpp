// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/multinode_broadcast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

// The nodes from which the packet comes, by round and port.
std::vector<network::Node> parents(std::uint32_t dimension) {
  std::vector<network::Node> result;
  const schedule::Schedule schedule = multinode_broadcast(dimension, 1);
  for (const schedule::Hop& hop : schedule.stages[0].rounds.hops()) result.push_back(hop.from);
  return result;
}

TEST(MultinodeBroadcast, has_the_parents_of_the_paper) {
  EXPECT_THAT(parents(3), testing::ElementsAre(0, 0, 0, 2, 4, 1, 6));
  EXPECT_THAT(parents(4), testing::ElementsAre(0, 0, 0, 0, 2, 4, 8, 1, 4, 8, 9, 3, 6, 12, 11));
}

TEST(MultinodeBroadcast, is_optimal_in_rounds_and_transmissions) {
  for (std::uint32_t d = 1; d <= 20; ++d) {
    const verify::Report report = check_on_hypercube(d, "allgather", multinode_broadcast(d, 1));
    const std::uint64_t n = std::uint64_t{1} << d;
    EXPECT_TRUE(report.optimal && report.claims_hold) << d;
    EXPECT_EQ(report.rounds, (n - 1 + d - 1) / d);
    EXPECT_EQ(report.transmissions, n * (n - 1));
  }
}

TEST(MultinodeBroadcast, is_optimal_for_any_number_of_parts) {
  for (std::uint32_t d = 1; d <= 10; ++d) {
    for (std::uint32_t parts = 2; parts <= 2 * d + 1; ++parts) {
      const verify::Report report =
          check_on_hypercube(d, "allgather", multinode_broadcast(d, parts), 0, parts);
      EXPECT_TRUE(report.optimal) << d << " " << parts;
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
