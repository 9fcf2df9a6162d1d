// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/disjoint_trees.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "tests/algorithm/abelian_networks.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

std::uint32_t height(const DisjointTrees& trees) {
  std::uint32_t highest = 0;
  for (Port tree = 0; tree < trees.count(); ++tree) highest = std::max(highest, trees.height(tree));
  return highest;
}

std::uint32_t height_on(const std::string& name) {
  return height(DisjointTrees::find(network::parse(name)).value());
}

// Every tree leads every node to the root, as deep as it says, and no link is in two trees.
void expect_disjoint_spanning(const Network& network, const DisjointTrees& trees, const std::string& name) {
  ASSERT_EQ(trees.count(), network.degree()) << name;
  std::vector<std::uint32_t> heights(network.degree(), 0);
  for (Node node = 1; node < network.order(); ++node) {
    std::vector<bool> used(network.degree(), false);
    for (Port tree = 0; tree < trees.count(); ++tree) {
      const Port port = trees.port(node, tree);
      ASSERT_LT(port, network.degree()) << name;
      ASSERT_FALSE(used[port]) << name << " node " << node;
      used[port] = true;
      const Node parent = network.neighbour(node, network.opposite(port));
      ASSERT_EQ(trees.depth(node, tree), parent == 0 ? 1 : trees.depth(parent, tree) + 1) << name;
      ASSERT_GE(trees.depth(node, tree), 1u) << name;
      heights[tree] = std::max(heights[tree], trees.depth(node, tree));
    }
  }
  for (Port tree = 0; tree < trees.count(); ++tree) EXPECT_EQ(trees.height(tree), heights[tree]) << name;
}

TEST(DisjointTrees, of_a_ring_are_its_two_directions) {
  const DisjointTrees trees = DisjointTrees::find(network::parse("ring:5")).value();
  EXPECT_EQ(trees.count(), 2u);
  for (Node node = 1; node < 5; ++node) {
    EXPECT_EQ(trees.port(node, 0), 0u);
    EXPECT_EQ(trees.port(node, 1), 1u);
    EXPECT_EQ(trees.depth(node, 0), node);
    EXPECT_EQ(trees.depth(node, 1), 5 - node);
  }
  EXPECT_EQ(trees.height(0), 4u);
  EXPECT_EQ(trees.height(1), 4u);
}

TEST(DisjointTrees, of_one_node_and_of_one_link) {
  EXPECT_EQ(DisjointTrees::find(network::parse("ring:1")).value().count(), 0u);
  const DisjointTrees trees = DisjointTrees::find(network::parse("ring:2")).value();
  EXPECT_EQ(trees.count(), 1u);
  EXPECT_EQ(trees.height(0), 1u);
}

TEST(DisjointTrees, are_the_same_every_time) {
  for (const char* name : {"torus:8x8", "torus:3x4x5", "hexmesh:5"}) {
    const Network network = network::parse(name);
    const DisjointTrees once = DisjointTrees::find(network).value();
    const DisjointTrees again = DisjointTrees::find(network).value();
    for (Node node = 1; node < network.order(); ++node) {
      for (Port tree = 0; tree < once.count(); ++tree)
        ASSERT_EQ(once.port(node, tree), again.port(node, tree)) << name;
    }
  }
}

TEST(DisjointTrees, span_every_network_within_two_and_a_half_diameters) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    const auto trees = DisjointTrees::find(network);
    ASSERT_TRUE(trees) << name;
    expect_disjoint_spanning(network, *trees, name);
    if (network.order() <= 2) continue;
    EXPECT_GE(height(*trees), network.diameter() + 1) << name;
    EXPECT_LE(height(*trees), std::max(network.diameter() + 1, network.diameter() * 5 / 2)) << name;
  }
}

// Among them those with a jump that is the sum of two others, where growing nodes wait for each other.
TEST(DisjointTrees, span_circulants_of_every_jump) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (int nodes = 7; nodes <= 21; ++nodes) {
    for (int a = 1; a < nodes / 2; ++a) {
      for (int b = a + 1; b <= nodes / 2; ++b) {
        for (int c = b; c <= nodes / 2; ++c) {
          if (std::gcd(std::gcd(a, b), std::gcd(c, nodes)) != 1) continue;
          const std::string jumps = b == c ? fmt::format("{},{}", a, b) : fmt::format("{},{},{}", a, b, c);
          const std::string name = fmt::format("circulant:{}:{}", nodes, jumps);
          const Network network = network::parse(name);
          const auto trees = DisjointTrees::find(network);
          ASSERT_TRUE(trees) << name;
          expect_disjoint_spanning(network, *trees, name);
          EXPECT_LE(height(*trees), std::max(network.diameter() + 1, network.diameter() * 5 / 2)) << name;
        }
      }
    }
  }
}

TEST(DisjointTrees, are_least_on_hypercubes_complete_networks_and_rings) {
  EXPECT_EQ(height_on("hypercube:1"), 1u);
  for (std::uint32_t d = 2; d <= 12; ++d) EXPECT_EQ(height_on(fmt::format("hypercube:{}", d)), d + 1);
  for (int nodes : {3, 4, 5, 8, 33, 100}) EXPECT_EQ(height_on(fmt::format("complete:{}", nodes)), 2u);
  for (std::uint32_t nodes : {3u, 4u, 9u, 50u})
    EXPECT_EQ(height_on(fmt::format("ring:{}", nodes)), nodes - 1);
}

TEST(DisjointTrees, of_tori_with_equal_extents_are_near_the_diameter) {
  for (std::uint32_t k = 3; k <= unless_sanitized(25, 12); ++k)
    EXPECT_LE(height_on(fmt::format("torus:{0}x{0}", k)), k / 2 * 2 + 2) << k;
  for (std::uint32_t k = 3; k <= unless_sanitized(9, 5); ++k)
    EXPECT_LE(height_on(fmt::format("torus:{0}x{0}x{0}", k)), k / 2 * 3 + 2) << k;
}

// All nodes but one of the longer ring, and half way round the other.
TEST(DisjointTrees, of_tori_are_no_higher_than_both_axes_make_them) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  for (std::uint32_t b = 3; b <= 12; ++b) {
    for (std::uint32_t a = b; a <= 3 * b; a += 2)
      EXPECT_LE(height_on(fmt::format("torus:{}x{}", a, b)), a - 1 + b / 2) << a << "x" << b;
  }
}

struct Height {
  std::string network;
  std::uint32_t most;
};

TEST(DisjointTrees, are_no_higher_than_the_head_says) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  const std::vector<Height> heights{
      {"torus:3x3", 3},           {"torus:4x4", 5},           {"torus:5x5", 6},
      {"torus:6x6", 7},           {"torus:7x7", 8},           {"torus:8x8", 9},
      {"torus:9x9", 9},           {"torus:10x10", 11},        {"torus:12x12", 14},
      {"torus:16x16", 17},        {"torus:32x32", 33},        {"torus:3x4x5", 6},
      {"torus:4x4x4", 7},         {"torus:5x5x5", 8},         {"torus:6x6x6", 10},
      {"torus:8x8x8", 13},        {"torus:12x12x12", 19},     {"torus:3x3x3x3", 5},
      {"torus:4x4x4x4", 9},       {"hexmesh:2", 2},           {"hexmesh:3", 4},
      {"hexmesh:4", 6},           {"hexmesh:5", 7},           {"hexmesh:6", 9},
      {"hexmesh:7", 10},          {"hexmesh:8", 11},          {"hexmesh:9", 12},
      {"hexmesh:10", 13},         {"hexmesh:11", 14},         {"hexmesh:12", 15},
      {"hexmesh:20", 24},         {"twisted-torus:8x16", 11}, {"twisted-torus:4x4x8", 7},
      {"twisted-torus:4x8x8", 9}, {"circulant:13:1,5", 4},    {"circulant:31:1,2,3", 8},
      {"circulant:60:1,2", 30},   {"circulant:99:3,5,7", 10}, {"circulant:128:1,6,11,13", 8},
  };
  for (const Height& height : heights) EXPECT_LE(height_on(height.network), height.most) << height.network;
}

// Whether all trees fit below a height: nodes one after the other, all permutations of ports, the depths
// looked at once all nodes have their ports.
class Exhaustive {
 public:
  Exhaustive(const Network& network, std::uint32_t most)
      : network_(network), most_(most), ports_(network.order()) {}

  bool exists(Node node = 1) {
    if (node == network_.order()) return shallow();
    std::vector<Port>& ports = ports_[node];
    ports.resize(network_.degree());
    std::iota(ports.begin(), ports.end(), Port{0});
    do {
      if (fits_root(node) && exists(node + 1)) return true;
    } while (std::next_permutation(ports.begin(), ports.end()));
    return false;
  }

 private:
  // The root's port decides the tree, up to the names of trees.
  bool fits_root(Node node) const {
    for (Port tree = 0; tree < network_.degree(); ++tree) {
      const Port port = ports_[node][tree];
      if (network_.generators()[port] == node && port != tree) return false;
    }
    return true;
  }

  bool shallow() const {
    for (Port tree = 0; tree < network_.degree(); ++tree) {
      for (Node node = 1; node < network_.order(); ++node) {
        Node above = node;
        for (std::uint32_t hops = 0; hops < most_ && above != 0; ++hops)
          above = network_.neighbour(above, network_.opposite(ports_[above][tree]));
        if (above != 0) return false;
      }
    }
    return true;
  }

  const Network& network_;
  std::uint32_t most_;
  std::vector<std::vector<Port>> ports_;  // by node, then tree
};

TEST(DisjointTrees, are_least_on_tiny_networks) {
  for (const char* name : {"ring:4", "ring:6", "torus:2x3", "hypercube:3", "complete:4", "circulant:5:1,2"}) {
    const Network network = network::parse(name);
    const std::uint32_t found = height_on(name);
    EXPECT_TRUE(Exhaustive(network, found).exists()) << name;
    EXPECT_FALSE(Exhaustive(network, found - 1).exists()) << name;
  }
}

TEST(DisjointTrees, are_not_searched_for_where_that_takes_long) {
  EXPECT_TRUE(DisjointTrees::affordable(network::parse("hypercube:16")));
  EXPECT_FALSE(DisjointTrees::affordable(network::parse("hypercube:17")));
}

}  // namespace
}  // namespace isotrope::algorithm
