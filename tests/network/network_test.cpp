// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/network.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Network cyclic(Coordinate modulus, std::vector<Node> generators) {
  return Network("cayley", Group({modulus}), std::move(generators));
}

TEST(Network, small_circulant_by_hand) {
  const Network network = cyclic(5, {1, 4});

  EXPECT_EQ(network.order(), 5);
  EXPECT_EQ(network.degree(), 2);
  EXPECT_EQ(network.directed_links(), 10);
  EXPECT_EQ(network.neighbour(4, 0), 0);
  EXPECT_EQ(network.opposite(0), 1);
  EXPECT_EQ(network.distance(4, 1), 2);
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 2, 2));
  EXPECT_EQ(network.diameter(), 2);
  EXPECT_EQ(network.distance_sum(), 6);
  EXPECT_DOUBLE_EQ(network.average_distance(), 1.5);
}

TEST(Network, a_single_node_needs_no_generator) {
  const Network network = cyclic(1, {});

  EXPECT_EQ(network.degree(), 0);
  EXPECT_EQ(network.diameter(), 0);
  EXPECT_EQ(network.average_distance(), 0);
}

TEST(Network, visit_walks_the_same_links) {
  const Network network = parse("torus:3x4");

  network.visit([&](const auto& neighbour, const auto& group) {
    EXPECT_EQ(group.order(), network.order());
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        EXPECT_EQ(neighbour(node, port), network.neighbour(node, port));
      }
    }
  });
}

TEST(Network, same_network_ignores_the_name_only) {
  EXPECT_TRUE(same_network(parse("ring:6"), parse("circulant:6:1")));
  EXPECT_FALSE(same_network(parse("ring:6"), parse("circulant:6:5")));  // other port order
  EXPECT_FALSE(same_network(parse("hypercube:2"), parse("torus:2x2")));
  EXPECT_FALSE(same_network(parse("hypercube:1"), parse("cayley:1x2:0,1")));
}

// The laws of every network, over one or more of each family.
class NetworkLaws : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    families, NetworkLaws,
    testing::Values("hypercube:1", "hypercube:6", "torus:4x4", "torus:2x3x4", "torus:1x5x1", "torus:1",
                    "ring:2", "ring:9", "hexmesh:2", "hexmesh:5", "twisted-torus:3x6", "twisted-torus:2x2x4",
                    "twisted-torus:4x2x4", "twisted-torus:1x2x2", "twisted-torus:8,0/3,8",
                    "twisted-torus:4,0,1/0,3,1/1,1,5", "circulant:13:1,5", "circulant:8:1,4", "complete:1",
                    "complete:2", "complete:7", "cayley:4x6:1,0/3,0/0,1/0,5", "ring:4@2", "torus:3x4@2,1",
                    "hypercube:3@2", "complete:4@3", "ring:4@2xcomplete:3"));

TEST_P(NetworkLaws, links_are_symmetric) {
  const Network network = parse(GetParam());

  for (Port port = 0; port < network.degree(); ++port) {
    EXPECT_EQ(network.opposite(network.opposite(port)), port);
    for (Node node = 0; node < network.order(); ++node) {
      const Node next = network.neighbour(node, port);
      EXPECT_NE(next, node);
      EXPECT_EQ(network.neighbour(next, network.opposite(port)), node);
    }
  }
}

TEST_P(NetworkLaws, distances_are_those_of_a_search) {
  expect_exact_metric(parse(GetParam()));
}

TEST_P(NetworkLaws, translations_keep_links_and_distances) {
  const Network network = parse(GetParam());
  const Group& group = network.group();

  EXPECT_TRUE(rc::check("v -> v + g", [&] {
    const auto any_node = rc::gen::inRange<Node>(0, network.order());
    const Node from = *any_node, to = *any_node, shift = *any_node;
    RC_ASSERT(network.distance(group.add(from, shift), group.add(to, shift)) == network.distance(from, to));
    for (Port port = 0; port < network.degree(); ++port) {
      RC_ASSERT(network.neighbour(group.add(from, shift), port) ==
                group.add(network.neighbour(from, port), shift));
    }
  }));
}

TEST_P(NetworkLaws, distance_is_a_metric) {
  const Network network = parse(GetParam());

  EXPECT_TRUE(rc::check("symmetry and triangle inequality", [&] {
    const auto any_node = rc::gen::inRange<Node>(0, network.order());
    const Node a = *any_node, b = *any_node, c = *any_node;
    RC_ASSERT(network.distance(a, b) == network.distance(b, a));
    RC_ASSERT((network.distance(a, b) == 0) == (a == b));
    RC_ASSERT(network.distance(a, c) <= network.distance(a, b) + network.distance(b, c));
  }));
}

TEST_P(NetworkLaws, names_read_back) {
  const std::string name = GetParam();
  const bool is_in_coordinates = name.find('/') != std::string::npos;

  EXPECT_EQ(parse(name).name(), is_in_coordinates ? "cayley" : name);
}

TEST(Network, refuses_bad_generators_by_their_coordinates) {
  const auto grid = [](std::vector<Node> generators) {
    return [=] { Network("grid", Group({4, 6}), generators); };
  };

  EXPECT_THAT(grid({0}), ThrowsMessage<Error>(HasSubstr("grid: generator (0,0) is zero")));
  EXPECT_THAT(grid({24}), ThrowsMessage<Error>(HasSubstr("generator number 24 is not a node")));
  EXPECT_THAT(
      grid({1, 5, 1}),
      ThrowsMessage<Error>(HasSubstr("generator (0,1) is given 2 times and its negative (0,5) 1 times")));
  EXPECT_THAT(grid({1, 5, 6}),
              ThrowsMessage<Error>(HasSubstr("generator (1,0) is given without its negative (3,0)")));
  EXPECT_THAT(grid({1, 6, 18}),
              ThrowsMessage<Error>(HasSubstr("generator (0,1) is given without its negative (0,5)")));
  EXPECT_THAT(grid({1, 5, 12}), ThrowsMessage<Error>(HasSubstr("reach only 12 of 24 nodes")));
  EXPECT_THAT(grid({}), ThrowsMessage<Error>(HasSubstr("reach only 1 of 24 nodes")));
  EXPECT_THAT([] { cyclic(1, {0}); }, ThrowsMessage<Error>(HasSubstr("(0) is zero")));
}

TEST(Network, refuses_more_ports_or_links_than_the_limits) {
  const auto with_steps = [](Coordinate modulus, Node count) {
    std::vector<Node> generators;
    for (Node step = 1; step <= count; ++step) {
      generators.push_back(step);
      generators.push_back(modulus - step);
    }
    return cyclic(modulus, generators);
  };

  EXPECT_EQ(with_steps(1u << 26, 32).directed_links(), largest_link_count);
  EXPECT_THAT([&] { with_steps(1u << 26, 33); }, ThrowsMessage<Error>(HasSubstr("limit of 2^32")));
  EXPECT_EQ(with_steps(65537, 32767).degree(), 65534);
  EXPECT_THAT([&] { with_steps(65537, 32768); }, ThrowsMessage<Error>(HasSubstr("at most 65535 ports")));
}

}  // namespace
}  // namespace isotrope::network
