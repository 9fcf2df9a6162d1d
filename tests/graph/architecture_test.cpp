// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/architecture.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/bisection.hpp"
#include "isotrope/graph/connectivity.hpp"

namespace isotrope::graph {
namespace {

network::SurvivingNetwork graph(const std::string& name) {
  const Architecture architecture = parse_architecture(name);
  return {architecture.network, architecture.missing};
}

std::vector<Node> neighbours(const SurvivingNetwork& network, Node node) {
  std::vector<Node> result;
  network.for_each_neighbour(node, [&](Port, Node neighbour) { result.push_back(neighbour); });
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Architecture, without_symmetry_has_the_right_links) {
  using testing::ElementsAre;
  EXPECT_THAT(neighbours(graph("binary-tree:3"), 1), ElementsAre(0u, 3u, 4u));
  EXPECT_THAT(neighbours(graph("binary-tree:3"), 6), ElementsAre(2u));
  EXPECT_THAT(neighbours(graph("star:4"), 0), ElementsAre(1u, 2u, 3u));
  EXPECT_THAT(neighbours(graph("star:4"), 3), ElementsAre(0u));
  EXPECT_THAT(neighbours(graph("chordal-ring:10:3"), 0), ElementsAre(1u, 3u, 9u));
  EXPECT_THAT(neighbours(graph("chordal-ring:10:3"), 3), ElementsAre(0u, 2u, 4u));
  EXPECT_THAT(neighbours(graph("chordal-ring:10:5"), 4), ElementsAre(3u, 5u, 9u));
  EXPECT_EQ(graph("chordal-ring:128:15").links(), 192u);
  EXPECT_EQ(graph("hexmesh:7").links(), 381u);
}

TEST(Architecture, that_is_none_is_refused) {
  for (const char* name :
       {"binary-tree:1", "binary-tree:11", "binary-tree", "binary-tree:3:4", "star:2", "star:x",
        "chordal-ring:9:3", "chordal-ring:10:4", "chordal-ring:10:7", "chordal-ring:10", "tree:3"})
    EXPECT_THROW(parse_architecture(name), Error) << name;
}

struct Known {
  const char* name;
  Port connectivity;
  std::uint64_t at_least, at_most;  // of the bisection
};

// Bisections: 2^(d-1) links of a hypercube, 2 w of an even w x w torus, 2 of a ring, 1 of a tree; of complete
// networks floor(p/2) ceil(p/2).
TEST(Architecture, has_the_known_connectivity_and_bisection) {
  for (const auto& [name, connectivity, at_least, at_most] :
       {Known{"hypercube:5", 5, 16, 16}, Known{"torus:4x4", 4, 8, 8}, Known{"torus:8x8", 4, 16, 16},
        Known{"ring:9", 2, 2, 2}, Known{"binary-tree:5", 1, 1, 1}, Known{"star:8", 1, 3, 4},
        Known{"complete:6", 5, 9, 9}, Known{"complete:7", 6, 12, 12}, Known{"chordal-ring:14:5", 3, 6, 7}}) {
    const SurvivingNetwork network = graph(name);
    EXPECT_EQ(node_connectivity(network), connectivity) << name;
    EXPECT_EQ(bisection(network).at_least, at_least) << name;
    EXPECT_EQ(bisection(network).at_most, at_most) << name;
  }
}

// All halves of small networks.
TEST(Bisection, encloses_what_trying_all_halves_finds) {
  for (const char* name : {"hexmesh:2", "torus:3x4", "circulant:13:1,5", "hypercube:3", "binary-tree:3",
                           "star:9", "chordal-ring:12:5", "ring:11", "complete:5", "torus:3x5"}) {
    const SurvivingNetwork network = graph(name);
    const Node order = network.whole().order();
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t half = 0; half < std::uint32_t{1} << order; ++half) {
      if (static_cast<Node>(std::popcount(half)) != order / 2) continue;
      std::uint64_t links = 0;
      for (Node node = 0; node < order; ++node) {
        if ((half >> node & 1) == 0) continue;
        network.for_each_neighbour(node,
                                   [&](Port, Node neighbour) { links += (half >> neighbour & 1) == 0; });
      }
      least = std::min(least, links);
    }
    EXPECT_LE(bisection(network).at_least, least) << name;
    EXPECT_EQ(bisection(network).at_most, least) << name;
  }
}

// With the symmetry and without it, the same number.
TEST(Connectivity, of_survivors_is_that_of_the_network_where_nothing_failed) {
  for (const char* name : {"hexmesh:2", "hexmesh:4", "torus:3x4", "circulant:13:1,5", "hypercube:4",
                           "torus:2x3x4", "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3", "complete:4"}) {
    const SurvivingNetwork network = graph(name);
    EXPECT_EQ(node_connectivity(network), node_connectivity(network.whole())) << name;
  }
  const Network ring = parse_architecture("ring:6").network;
  EXPECT_EQ(node_connectivity(SurvivingNetwork(ring, {{0}, {}})), 1u);
  EXPECT_EQ(node_connectivity(SurvivingNetwork(ring, {{0, 3}, {}})), 0u);
}

}  // namespace
}  // namespace isotrope::graph
