// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/link_list.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

// Every link that carries once, in order, with its ends and its port.
void expect_links(const SurvivingNetwork& network) {
  const LinkList links(network);
  LinkNumber next = 0;
  for (Node node = 0; node < network.whole().order(); ++node) {
    std::vector<std::pair<LinkNumber, Node>> of_node;
    links.for_each(node, [&](LinkNumber link, Node to) { of_node.emplace_back(link, to); });
    std::size_t i = 0;
    network.for_each_neighbour(node, [&](Port port, Node neighbour) {
      ASSERT_LT(i, of_node.size());
      EXPECT_EQ(of_node[i++], std::pair(next, neighbour));
      EXPECT_EQ(links.of(node, port), next);
      EXPECT_EQ(links.port(node, next), port);
      EXPECT_EQ(links.to(next), neighbour);
      ++next;
    });
    EXPECT_EQ(i, of_node.size());
  }
  EXPECT_EQ(links.count(), next);
  EXPECT_EQ(links.count(), 2 * network.links());
}

TEST(LinkList, has_the_links_that_carry) {
  expect_links({parse("torus:4x4"), {}});
  expect_links({parse("torus:4x4@2,1"), {{5}, {{0, 0}}}});
  Failures star;
  for (Node node = 1; node < 20; ++node) star.edges.push_back({0, node});
  expect_links({parse("complete:20"), star});
}

}  // namespace
}  // namespace isotrope::network
