// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/hamiltonian_cycle.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::graph {
namespace {

using network::Network;
using network::Node;

bool are_neighbours(const Network& network, Node a, Node b) {
  return std::ranges::count(network.generators(), network.group().subtract(b, a)) > 0;
}

void expect_cycle(const Network& network) {
  const std::vector<Node> cycle = hamiltonian_cycle(network);
  EXPECT_EQ(cycle.front(), 0u);
  std::vector<Node> sorted = cycle;
  std::ranges::sort(sorted);
  ASSERT_EQ(cycle.size(), network.order()) << network.name();
  for (Node node = 0; node < network.order(); ++node) ASSERT_EQ(sorted[node], node) << network.name();
  for (std::size_t i = 0; i < cycle.size(); ++i)
    EXPECT_TRUE(are_neighbours(network, cycle[i], cycle[(i + 1) % cycle.size()]))
        << network.name() << " " << i;
}

// Rows and columns of even and odd numbers, generators of order 2, and cosets of several generators.
TEST(HamiltonianCycle, passes_every_node_once) {
  for (const char* name : {"ring:2",
                           "ring:3",
                           "ring:9",
                           "hypercube:1",
                           "hypercube:6",
                           "torus:2x3",
                           "torus:3x3",
                           "torus:5x5",
                           "torus:3x5x7",
                           "torus:4x6x8",
                           "torus:3x3x3x3",
                           "torus:9x15",
                           "hexmesh:2",
                           "hexmesh:5",
                           "complete:8",
                           "complete:13",
                           "circulant:12:2,3",
                           "circulant:15:3,5",
                           "circulant:29:1,5,12",
                           "circulant:30:6,10,15",
                           "circulant:45:9,5",
                           "twisted-torus:4x4x8",
                           "twisted-torus:7,2/3,11",
                           "cayley:4x6:1,0/3,0/0,1/0,5",
                           "cayley:9x3:3,0/6,0/0,1/0,2/1,1/8,2"})
    expect_cycle(network::parse(name));
}

// Every circulant of at most 24 nodes with two offsets.
TEST(HamiltonianCycle, exists_in_every_small_circulant) {
  int tried = 0;
  for (int nodes = 3; nodes <= 24; ++nodes) {
    for (int a = 1; a <= nodes / 2; ++a) {
      for (int b = a + 1; b <= nodes / 2; ++b) {
        if (std::gcd(std::gcd(a, b), nodes) != 1) continue;
        expect_cycle(network::parse("circulant:" + std::to_string(nodes) + ":" + std::to_string(a) + "," +
                                    std::to_string(b)));
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 400);
}

// Lines of odd extents alone have none: they have more nodes of one colour than of the other.
TEST(HamiltonianCycle, goes_over_links_that_are_up) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"mesh:2x2", ""},          {"mesh:4x4", ""},          {"mesh:8x8", "9-10"},
      {"mesh:3x5x4", "0-1"},     {"line:5xring:3", "0-1"},  {"line:3xhexmesh:2", "0-1,8-9"},
      {"line:3xring:2", ""},     {"torus:8x8", "0-1,9-17"}, {"line:3xmesh:3x2xcomplete:4", "0-1"},
      {"hypercube:5", "0-1,0-2"}};
  for (const auto& [name, links] : cases) {
    auto of = network::parse_named(name);
    if (*links != 0) of.lacks.links = network::parse_failed_links(links, of.network, of.lacks);
    const auto cycle = hamiltonian_cycle(of.network, of.lacks);
    ASSERT_TRUE(cycle) << name;
    const network::SurvivingNetwork up(of.network, of.lacks);
    EXPECT_EQ(std::set<Node>(cycle->begin(), cycle->end()).size(), of.network.order()) << name;
    ASSERT_EQ(cycle->size(), of.network.order()) << name;
    EXPECT_EQ(cycle->front(), 0u) << name;
    for (std::size_t i = 0; i < cycle->size(); ++i) {
      const auto neighbours = up.neighbours((*cycle)[i]);
      EXPECT_EQ(std::ranges::count(neighbours, (*cycle)[(i + 1) % cycle->size()]), 1) << name << " " << i;
    }
  }
  for (const char* name : {"line:8", "mesh:3x3", "mesh:5x7x3"}) {
    const auto of = network::parse_named(name);
    EXPECT_FALSE(hamiltonian_cycle(of.network, of.lacks)) << name;
  }
  EXPECT_FALSE(hamiltonian_cycle(network::parse("torus:4x4"), network::Failures{{3}, {}}));
  EXPECT_FALSE(hamiltonian_cycle(network::parse("ring:8"), network::Failures{{}, {{2, 0}}}));
}

TEST(HamiltonianCycle, of_one_node_is_the_node) {
  EXPECT_THAT(hamiltonian_cycle(network::parse("ring:1")), testing::ElementsAre(0));
}

}  // namespace
}  // namespace isotrope::graph
