// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/rank_map.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

using testing::HasSubstr;

std::string refusal(const std::vector<Node>& nodes) {
  try {
    const RankMap map(nodes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RankMap, leads_from_ranks_to_nodes_and_back) {
  const RankMap map({2, 0, 3, 1});
  EXPECT_EQ(map.node_of(0), 2U);
  EXPECT_EQ(map.node_of(2), 3U);
  EXPECT_EQ(map.rank_of(2), 0U);
  EXPECT_EQ(map.rank_of(1), 3U);
  for (Rank rank = 0; rank < 4; ++rank) EXPECT_EQ(map.rank_of(map.node_of(rank)), rank);
  EXPECT_FALSE(map.is_identity());
  EXPECT_TRUE(map.fits(4));
  EXPECT_FALSE(map.fits(5));
}

TEST(RankMap, is_the_identity_where_rank_r_is_node_r) {
  const RankMap map({0, 1, 2});
  EXPECT_TRUE(map.is_identity());
  EXPECT_EQ(map, RankMap());
  EXPECT_TRUE(map.fits(7));
  EXPECT_EQ(map.node_of(6), 6U);
  EXPECT_EQ(map.rank_of(6), 6U);
}

TEST(RankMap, gives_every_node_to_one_rank) {
  EXPECT_THAT(refusal({0, 2, 2}), HasSubstr("ranks 1 and 2 are both node 2"));
  EXPECT_THAT(refusal({0, 3, 1}), HasSubstr("rank 1 is node 3: of 3 ranks, give the nodes 0..2"));
}

}  // namespace
}  // namespace isotrope::network
