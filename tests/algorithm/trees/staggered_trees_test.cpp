// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/staggered_trees.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/trees/disjoint_trees.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using testing::IsEmpty;
using testing::SizeIs;

DisjointTrees trees_of(const char* name) {
  return DisjointTrees::find(network::parse(name)).value();
}

std::uint32_t height_of(const DisjointTrees& trees) {
  std::uint32_t result = 0;
  for (Port tree = 0; tree < trees.count(); ++tree) result = std::max(result, trees.height(tree));
  return result;
}

// The node and the tree's entry are in time, and so is its parent, by the same tree.
void expect_in_time(const Network& network, const DisjointTrees& trees, const StaggeredPacket& packet,
                    std::uint64_t hop_rounds) {
  for (Node node = 1; node < network.order(); ++node) {
    const Port tree = packet.tree_of[node];
    const auto entry = std::ranges::find(packet.entries, tree, &TreeEntry::tree);
    ASSERT_NE(entry, packet.entries.end());
    EXPECT_LE(hop_rounds * (trees.depth(node, tree) - 1) + 1, entry->left);
    const Node parent = network.neighbour(node, network.opposite(trees.port(node, tree)));
    if (parent != 0) {
      EXPECT_EQ(packet.tree_of[parent], tree);
    }
    EXPECT_LE(packet.delay(tree) + trees.depth(node, tree), packet.rounds);
  }
}

TEST(StaggeredTrees, bring_every_packet_to_all_nodes_in_time) {
  for (const char* name : {"ring:2", "ring:9", "torus:3x5", "torus:8x8", "hypercube:5", "hexmesh:4",
                           "complete:6", "circulant:29:1,5,12"}) {
    const Network network = network::parse(name);
    const DisjointTrees trees = trees_of(name);
    for (const std::uint64_t hop_rounds : {1u, 2u, 4u}) {
      std::set<std::pair<Port, std::uint64_t>> taken;
      for (const StaggeredPacket& packet : trees.staggered(hop_rounds)) {
        expect_in_time(network, trees, packet, hop_rounds);
        for (const TreeEntry& entry : packet.entries) {
          EXPECT_TRUE(taken.emplace(entry.tree, entry.left).second) << name;
          EXPECT_LE(entry.left, hop_rounds * (height_of(trees) - 1));
          EXPECT_LE(entry.left, packet.left());
        }
      }
    }
  }
}

// Entries with 7 and 1 rounds left, 6 and 2, ...
TEST(StaggeredTrees, use_all_entries_on_a_ring) {
  EXPECT_THAT(trees_of("ring:9").staggered(1), SizeIs(7));
  EXPECT_THAT(trees_of("ring:9").staggered(4), SizeIs(28));
  EXPECT_THAT(trees_of("ring:27").staggered(1), SizeIs(25));
}

// As many as if the trees were one hop lower.
TEST(StaggeredTrees, save_a_hop_on_even_tori_and_cubes) {
  for (const char* name : {"torus:4x4", "torus:4x4x4", "hypercube:4", "hypercube:6", "torus:8x8x8"}) {
    const DisjointTrees trees = trees_of(name);
    for (const std::uint64_t hop_rounds : {1u, 4u})
      EXPECT_THAT(trees.staggered(hop_rounds), SizeIs(trees.count() * hop_rounds)) << name;
  }
}

TEST(StaggeredTrees, begin_with_the_packets_that_begin_first) {
  const DisjointTrees trees = trees_of("torus:8x8");
  EXPECT_TRUE(std::ranges::is_sorted(trees.staggered(2), std::ranges::greater(), &StaggeredPacket::left));
}

TEST(StaggeredTrees, are_left_out_on_large_networks) {
  EXPECT_THAT(trees_of("torus:12x12x12").staggered(1), IsEmpty());
  EXPECT_THAT(trees_of("ring:1").staggered(1), IsEmpty());
}

}  // namespace
}  // namespace isotrope::algorithm
