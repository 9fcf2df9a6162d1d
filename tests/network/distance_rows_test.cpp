// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/distance_rows.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(DistanceRows, are_those_of_searches) {
  const SurvivingNetwork network(parse("torus:4x5"), {{7}, {{0, 0}}});
  DistanceRows rows(network);
  for (int again = 0; again < 2; ++again) {
    for (const Node from : network.nodes()) {
      const DistanceRows::Row* const row = rows.from(from);
      ASSERT_NE(row, nullptr);
      const std::vector<std::uint32_t> searched = network.distances(from);
      for (Node node = 0; node < network.whole().order(); ++node) {
        if (node == 7) {
          EXPECT_EQ((*row)[node], DistanceRows::far);
        } else {
          EXPECT_EQ((*row)[node], searched[node]);
        }
      }
    }
  }
}

// 60 bytes are three rows of ten nodes.
TEST(DistanceRows, end_with_their_memory) {
  const SurvivingNetwork network(parse("ring:10"), {});
  DistanceRows rows(network, 60);
  for (const Node from : {4U, 5U, 9U}) EXPECT_NE(rows.from(from), nullptr);
  EXPECT_EQ(rows.from(6), nullptr);
  EXPECT_NE(rows.from(5), nullptr);
  EXPECT_EQ((*rows.from(5))[7], 2U);
}

}  // namespace
}  // namespace isotrope::network
