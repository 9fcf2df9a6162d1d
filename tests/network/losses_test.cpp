// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/losses.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(Losses, names_nodes_and_links) {
  const Network ring = parse("ring:6");
  EXPECT_EQ(losses(ring, {}), "");
  EXPECT_EQ(losses(ring, {{2, 4}, {}}), " without nodes 2,4");
  EXPECT_EQ(losses(ring, {{}, {{5, 0}}}), " without link 5-0");
  EXPECT_EQ(losses(ring, {{3}, {{0, 0}, {5, 0}}}), " without node 3 and links 0-1,5-0");
}

TEST(Losses, names_one_of_several_links_side_by_side_by_its_port) {
  EXPECT_EQ(losses(parse("ring:6@2"), {{}, {{4, 1}}}), " without link 4:1");
}

TEST(Losses, counts_listed_edges) {
  Failures star;
  star.edges = {{0, 1}, {0, 2}, {0, 3}};
  EXPECT_EQ(losses(parse("complete:4"), star), " with 3 of its 6 links");
}

TEST(Losses, names_the_first_of_many) {
  Failures half;
  for (Node node = 0; node < 20; ++node) half.nodes.push_back(node);
  EXPECT_EQ(losses(parse("ring:40"), half), " without 20 nodes, 0,1,2,3,4,5,6,7,8,9,10,11,...");
}

}  // namespace
}  // namespace isotrope::network
