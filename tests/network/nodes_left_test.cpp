// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/nodes_left.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Of 0 - 1 - 2 - 3 - 0 remain 2 - 3 - 0, now 1 - 2 - 0.
TEST(NetworkLeft, is_numbered_in_the_order_of_its_nodes) {
  NamedNetwork whole = parse_named("ring:4");
  whole.lacks.nodes = {1};
  whole.lacks.edge_times = {{{0, 1}, 1e-6}, {{2, 3}, 2e-6}};
  const NamedNetwork left = network_left(whole);
  EXPECT_EQ(left.network.order(), 3U);
  EXPECT_THAT(left.lacks.edges, ElementsAre(Edge{0, 2}, Edge{1, 2}));
  EXPECT_THAT(left.lacks.edge_times, ElementsAre(EdgeTimes{{1, 2}, 2e-6}));
  EXPECT_TRUE(left.lacks.nodes.empty());
}

TEST(NetworkLeft, is_the_network_itself_without_failed_nodes) {
  NamedNetwork whole = parse_named("line:3xring:4");
  whole.lacks.links = parse_failed_links("0-1", whole.network, whole.lacks);
  EXPECT_TRUE(same_network(network_left(whole).network, whole.network));
  EXPECT_EQ(network_left(whole).lacks, whole.lacks);
}

// Every link that carries, as often as it does, and no other.
TEST(NetworkLeft, has_the_links_that_carry) {
  for (const std::string name : {"torus:4x4", "line:3xring:5", "hypercube:4", "ring:6@3", "hexmesh:3"}) {
    NamedNetwork whole = parse_named(name);
    whole.lacks.nodes = {4, 1};
    whole.lacks.links = parse_failed_links("2-3", whole.network, whole.lacks);
    const SurvivingNetwork expected(whole.network, whole.lacks);
    if (!expected.cut_off(expected.nodes().front()).empty()) {
      EXPECT_THROW(network_left(whole), Error) << name;
      continue;
    }
    const NamedNetwork left = network_left(whole);
    const SurvivingNetwork found(left.network, left.lacks);
    ASSERT_EQ(found.nodes().size(), expected.nodes().size()) << name;
    const std::vector<Node> numbers = numbers_left(expected.nodes(), whole.lacks.nodes);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(numbers[i], i) << name;
      std::vector<Node> neighbours, those_found;
      expected.for_each_neighbour(expected.nodes()[i],
                                  [&](Port, Node neighbour) { neighbours.push_back(neighbour); });
      found.for_each_neighbour(numbers[i], [&](Port, Node neighbour) { those_found.push_back(neighbour); });
      EXPECT_THAT(those_found,
                  testing::UnorderedElementsAreArray(numbers_left(neighbours, whole.lacks.nodes)))
          << name;
    }
  }
}

TEST(NetworkLeft, has_no_nodes_that_are_cut_off) {
  NamedNetwork whole = parse_named("line:12");
  whole.lacks.links = parse_failed_links("1-2", whole.network, whole.lacks);
  EXPECT_THAT([&] { network_left(whole); },
              ThrowsMessage<Error>(HasSubstr("cut nodes 2,3,4,5,6,7,8,9,... off from node 0 of line:12")));
  whole.lacks.nodes = {11, 0};
  EXPECT_THAT([&] { network_left(whole); },
              ThrowsMessage<Error>(HasSubstr("cut nodes 2,3,4,5,6,7,8,9,... off from node 1")));
}

TEST(NumbersLeft, skip_failed_nodes) {
  EXPECT_THAT(numbers_left(std::vector<Node>{5, 0, 2}, std::vector<Node>{4, 1}), ElementsAre(3, 0, 1));
  EXPECT_THAT(
      [] {
        numbers_left(std::vector<Node>{0, 4}, std::vector<Node>{4, 1});
      },
      ThrowsMessage<Error>(HasSubstr("node 4 of a rank has failed")));
}

}  // namespace
}  // namespace isotrope::network
