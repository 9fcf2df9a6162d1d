// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"

#include <gtest/gtest.h>

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Hop;
using schedule::PortModel;

// The rounds of a broadcast found valid, with every node sent every packet once.
std::uint64_t disjoint_rounds(const std::string& name, Node root, std::uint32_t parts) {
  const Network network = network::parse(name);
  const DisjointTrees trees = DisjointTrees::find(network).value();
  const verify::Report report =
      check_on(network, "broadcast", disjoint_trees_broadcast(network, root, parts, trees), root, parts);
  EXPECT_TRUE(report.valid) << name << " " << parts;
  EXPECT_EQ(report.hops, std::uint64_t{network.order() - 1} * parts) << name << " " << parts;
  EXPECT_EQ(report.rounds, disjoint_trees_broadcast_rounds(trees, parts)) << name << " " << parts;
  return report.rounds;
}

// Packet 0 goes forward and packet 1 back, each over two links.
TEST(DisjointTreesBroadcast, sends_two_packets_round_a_triangle_both_ways) {
  const Network network = network::parse("ring:3");
  const DisjointTrees trees = DisjointTrees::find(network).value();
  const schedule::Schedule schedule = disjoint_trees_broadcast(network, 0, 2, trees);
  const schedule::Rounds& rounds = schedule.stages.at(0).rounds;
  const std::vector<Hop> hops(rounds.hops().begin(), rounds.hops().end());
  EXPECT_EQ(hops, (std::vector<Hop>{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 2, 1}}));
  EXPECT_EQ(rounds.size(), 2u);
}

TEST(DisjointTreesBroadcast, is_valid_on_every_family_whatever_the_packets) {
  for (const char* name : {"ring:1", "ring:2", "ring:7", "hypercube:4", "torus:3x5", "torus:4x4",
                           "torus:2x3x4", "hexmesh:2", "hexmesh:4", "complete:6", "twisted-torus:2x2x4",
                           "circulant:13:1,5", "circulant:15:1,5,6", "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3"}) {
    const Node order = network::parse(name).order();
    for (std::uint32_t parts = 1; parts <= 20; ++parts) disjoint_rounds(name, parts % order, parts);
    disjoint_rounds(name, order - 1, 101);
  }
}

TEST(DisjointTreesBroadcast, is_valid_on_larger_networks) {
  for (const char* name : {"torus:12x12x12", "hexmesh:12", "hypercube:9", "twisted-torus:8x16", "ring:100"})
    disjoint_rounds(name, 5, 13);
}

// Ho and Johnsson 1986, Section 3.3.2: ceil(P / d) + d.
TEST(DisjointTreesBroadcast, takes_the_rounds_of_the_multiple_binomial_trees_on_hypercubes) {
  for (std::uint32_t d = 1; d <= 7; ++d) {
    for (std::uint32_t parts = 1; parts <= 3 * d + 1; ++parts) {
      EXPECT_EQ(disjoint_rounds(fmt::format("hypercube:{}", d), 0, parts),
                msbt_broadcast_rounds(d, parts, PortModel::all(), false));
    }
  }
}

// No other deal of the packets among the trees takes fewer rounds.
TEST(DisjointTreesBroadcast, takes_the_least_rounds_for_the_heights_of_its_trees) {
  for (const char* name : {"hexmesh:7", "circulant:30:1,6,11,13", "torus:5x24", "torus:3x20", "ring:9"}) {
    const DisjointTrees trees = DisjointTrees::find(network::parse(name)).value();
    for (std::uint32_t parts = 1; parts <= 60; ++parts) {
      std::uint64_t rounds = 0;
      for (std::uint64_t carried = 0; carried < parts;) {
        ++rounds;
        carried = 0;
        for (network::Port tree = 0; tree < trees.count(); ++tree)
          carried += rounds < trees.height(tree) ? 0 : rounds - trees.height(tree) + 1;
      }
      EXPECT_EQ(disjoint_trees_broadcast_rounds(trees, parts), rounds) << name << " " << parts;
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
