// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/link_numbers.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

// Different numbers below the count for all links that carry.
void expect_numbers(const SurvivingNetwork& network, const LinkNumbers& numbers) {
  std::set<std::uint64_t> seen;
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port port, Node) { seen.insert(numbers.of(node, port)); });
  }
  EXPECT_EQ(seen.size(), 2 * network.links());
  EXPECT_LT(*seen.rbegin(), numbers.count());
}

TEST(LinkNumbers, are_those_of_nodes_and_ports) {
  const Network torus = parse("torus:4x4");
  EXPECT_EQ(LinkNumbers(torus).count(), 64U);
  EXPECT_EQ(LinkNumbers(torus).of(3, 2), 14U);
  const SurvivingNetwork around(torus, {{5}, {}});
  EXPECT_EQ(LinkNumbers(around).count(), 64U);
  expect_numbers(around, LinkNumbers(around));
}

TEST(LinkNumbers, are_few_for_few_links) {
  Failures star;
  for (Node node = 1; node < 20; ++node) star.edges.push_back({0, node});
  const SurvivingNetwork network(parse("complete:20"), star);
  const LinkNumbers numbers(network);
  EXPECT_EQ(numbers.count(), 38U);
  expect_numbers(network, numbers);
}

}  // namespace
}  // namespace isotrope::network
