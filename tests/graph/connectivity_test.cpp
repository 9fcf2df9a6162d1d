// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/connectivity.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::graph {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Cuts {
  Port nodes, links;
};

// The least cuts of a network of at most 20 nodes, over all node sets that could be one side of the cut.
Cuts least_cuts(const SurvivingNetwork& network) {
  const Node order = network.whole().order();
  const std::uint32_t everyone = (1u << order) - 1;
  Cuts least{order - 1, static_cast<Port>(2 * network.links())};
  for (std::uint32_t side = 1; side < everyone; ++side) {
    std::uint32_t boundary = 0;
    Port links = 0;
    for (Node node = 0; node < order; ++node) {
      if ((side >> node & 1) == 0) continue;
      network.for_each_neighbour(node, [&](Port, Node neighbour) {
        if ((side >> neighbour & 1) != 0) return;
        boundary |= 1u << neighbour;
        ++links;
      });
    }
    least.links = std::min(least.links, links);
    if ((side | boundary) != everyone) {
      least.nodes = std::min(least.nodes, static_cast<Port>(std::popcount(boundary)));
    }
  }
  return least;
}

TEST(Connectivity, of_the_papers_networks) {
  const auto of = [](std::string_view name) { return node_connectivity(network::parse(name)); };

  for (int n = 2; n <= 6; ++n) EXPECT_EQ(of("hexmesh:" + std::to_string(n)), 6);
  for (int d = 1; d <= 10; ++d) EXPECT_EQ(of("hypercube:" + std::to_string(d)), d);
  for (int order = 1; order <= 9; ++order) EXPECT_EQ(of("complete:" + std::to_string(order)), order - 1);
  EXPECT_EQ(of("torus:4x4"), 4);
  EXPECT_EQ(of("torus:3x4x5"), 6);
  EXPECT_EQ(of("torus:2x5"), 3);
  EXPECT_EQ(of("ring:9"), 2);
  EXPECT_EQ(of("twisted-torus:4x4x8"), 6);
  EXPECT_EQ(of("circulant:13:1,5"), 4);
}

// A ring of eight pairs, neighbouring pairs joined completely: degree 5, yet four nodes cut the ring.
TEST(Connectivity, may_be_less_than_the_degree) {
  const Network network = network::parse("cayley:2x8:1,0/0,1/1,1/0,7/1,7");

  EXPECT_EQ(network.degree(), 5);
  EXPECT_EQ(node_connectivity(network), 4);
  EXPECT_EQ(network.degree(), 5);
}

TEST(Connectivity, is_the_least_cut) {
  EXPECT_TRUE(rc::check("circulants against all cuts", [] {
    const auto modulus = *rc::gen::inRange<network::Coordinate>(2, 12);
    std::vector<network::Coordinate> steps{1};
    for (network::Coordinate step = 2; 2 * step <= modulus; ++step) {
      if (*rc::gen::arbitrary<bool>()) steps.push_back(step);
    }
    const Network network = network::circulant(modulus, steps);
    const Cuts least = least_cuts({network, {}});
    RC_ASSERT(node_connectivity(network) == least.nodes);
    RC_ASSERT(network.degree() == least.links);
  }));
  for (const char* name : {"complete:1", "complete:2", "hypercube:3", "torus:3x4", "torus:2x2x3",
                           "cayley:2x6:1,0/0,1/1,1/0,5/1,5", "twisted-torus:2x4"}) {
    const Network network = network::parse(name);
    const Cuts least = least_cuts({network, {}});
    EXPECT_EQ(node_connectivity(network), least.nodes) << name;
    EXPECT_EQ(network.degree(), least.links) << name;
  }
}

TEST(Connectivity, of_any_graph_is_its_least_cut) {
  EXPECT_TRUE(rc::check("random graphs against all cuts", [] {
    const auto order = *rc::gen::inRange<Node>(2, 11);
    network::Failures only;
    for (Node high = 1; high < order; ++high) {  // a random tree, and more
      const auto parent = *rc::gen::inRange<Node>(0, high);
      for (Node low = 0; low < high; ++low) {
        if (low == parent || *rc::gen::weightedElement<bool>({{2, false}, {1, true}}))
          only.edges.push_back({low, high});
      }
    }
    std::ranges::sort(only.edges);
    const SurvivingNetwork network(network::parse(fmt::format("complete:{}", order)), only);
    const Cuts least = least_cuts(network);
    RC_ASSERT(node_connectivity(network) == least.nodes);
    RC_ASSERT(link_connectivity(network) == std::uint64_t{least.links});
  }));
}

// A cut of slow links leaves fast ones on either side.
TEST(Connectivity, of_unlike_links_is_the_least_cut) {
  for (const char* name : {"torus:3x4@1,8", "torus:3x4@2,1", "hypercube:3@2", "ring:6@2xring:2",
                           "complete:4@3", "torus:2x2x3@5,1,1", "cayley:8:1/7/4/4/4"}) {
    const Network network = network::parse(name);
    const SurvivingNetwork whole(network, {});
    EXPECT_EQ(node_connectivity(network), least_cuts(whole).nodes) << name;
    EXPECT_EQ(node_connectivity(whole), least_cuts(whole).nodes) << name;
    EXPECT_EQ(link_connectivity(whole), least_cuts(whole).links) << name;
    EXPECT_EQ(link_connectivity(network), least_cuts(whole).links) << name;
  }
  const auto [network, lacks] = network::parse_named("line:4xring:8@2");
  EXPECT_EQ(link_connectivity({network, lacks}), 5U);
  EXPECT_EQ(link_connectivity({network, {{0}, network::parse_failed_links("1-2", network), {0}}}), 1U);
}

TEST(Connectivity, of_a_large_ring_and_a_large_hypercube) {
  EXPECT_EQ(node_connectivity(network::parse("ring:524288")), 2);
  EXPECT_EQ(node_connectivity(network::parse("hypercube:14")), 14);
}

TEST(Connectivity, refuses_networks_above_the_limit) {
  EXPECT_THAT(
      [] { node_connectivity(network::parse("ring:524289")); },
      ThrowsMessage<Error>(HasSubstr("1048578 directed links: connectivity is computed for at most 2^20")));
}

}  // namespace
}  // namespace isotrope::graph
