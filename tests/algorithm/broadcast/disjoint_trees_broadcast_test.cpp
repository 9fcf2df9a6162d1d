// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"

#include "tests/algorithm/abelian_networks.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Hop;
using schedule::PortModel;

// The rounds of a broadcast found valid, with every node sent every packet once.
std::uint64_t disjoint_rounds(const std::string& name, Node root, std::uint32_t parts,
                              std::uint32_t hop_rounds = 1) {
  const Network network = network::parse(name);
  const DisjointTrees trees = DisjointTrees::find(network).value();
  const verify::Report report = check_on(
      network, "broadcast", disjoint_trees_broadcast(network, root, parts, trees, hop_rounds), root, parts);
  EXPECT_TRUE(report.valid) << name << " " << parts;
  EXPECT_EQ(report.hops, std::uint64_t{network.order() - 1} * parts) << name << " " << parts;
  EXPECT_EQ(report.rounds, disjoint_trees_broadcast_rounds(trees, parts, hop_rounds)) << name << " " << parts;
  return report.rounds;
}

// Packet 0 goes forward over two links, and packet 1 both ways, over one link each.
TEST(DisjointTreesBroadcast, sends_the_second_packet_of_a_triangle_both_ways) {
  const Network network = network::parse("ring:3");
  const DisjointTrees trees = DisjointTrees::find(network).value();
  const schedule::Schedule schedule = disjoint_trees_broadcast(network, 0, 2, trees);
  const schedule::Rounds& rounds = schedule.stages.at(0).rounds;
  const std::vector<Hop> hops(rounds.hops().begin(), rounds.hops().end());
  EXPECT_EQ(hops, (std::vector<Hop>{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 1}}));
  EXPECT_EQ(rounds.size(), 2u);
}

TEST(DisjointTreesBroadcast, is_valid_on_every_family_whatever_the_packets) {
  for (const char* name : {"ring:1", "ring:2", "ring:7", "hypercube:4", "torus:3x5", "torus:4x4",
                           "torus:2x3x4", "hexmesh:2", "hexmesh:4", "complete:6", "twisted-torus:2x2x4",
                           "circulant:13:1,5", "circulant:15:1,5,6", "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3"}) {
    const Node order = network::parse(name).order();
    for (std::uint32_t parts = 1; parts <= 20; ++parts) {
      if (is_left_out(parts, 5)) continue;
      for (const std::uint32_t hop_rounds : {0U, 1U, 2U, 5U})
        disjoint_rounds(name, parts % order, parts, hop_rounds);
    }
    disjoint_rounds(name, order - 1, 101);
    disjoint_rounds(name, order - 1, 101, 4);
  }
}

TEST(DisjointTreesBroadcast, is_valid_on_larger_networks) {
  for (const char* name : {"torus:12x12x12", "hexmesh:12", "hypercube:9", "twisted-torus:8x16", "ring:100"})
    disjoint_rounds(name, 5, 13);
}

// Ho and Johnsson 1986, Section 3.3.2: ceil(P / d) + d. Groups of trees save a round for some numbers of packets.
TEST(DisjointTreesBroadcast, takes_no_more_rounds_than_the_multiple_binomial_trees_on_hypercubes) {
  for (std::uint32_t d = 1; d <= 7; ++d) {
    for (std::uint32_t parts = 1; parts <= 3 * d + 1; ++parts) {
      const std::uint64_t msbt = msbt_broadcast_rounds(d, parts, PortModel::all(), false);
      const std::uint64_t rounds = disjoint_rounds(fmt::format("hypercube:{}", d), 0, parts);
      EXPECT_LE(rounds, msbt);
      EXPECT_GE(rounds + 1, msbt);
    }
  }
}

// The packets that can start in R rounds: in each of them one a group of the lowest level that is in time.
std::uint64_t carried_in(const DisjointTrees& trees, std::uint64_t rounds) {
  std::uint64_t carried = 0;
  for (std::uint64_t left = rounds; left > 0; --left) {
    for (const GroupLevel& level : trees.levels()) {
      if (level.height > left) continue;
      carried += level.groups.size();
      break;
    }
  }
  return carried;
}

// No other deal of the packets among the groups takes fewer rounds.
TEST(DisjointTreesBroadcast, takes_no_more_rounds_than_the_heights_of_its_groups_allow) {
  for (const char* name : {"hexmesh:7", "circulant:30:1,6,11,13", "torus:5x24", "torus:3x20", "ring:9"}) {
    const DisjointTrees trees = DisjointTrees::find(network::parse(name)).value();
    for (std::uint32_t parts = 1; parts <= 60; ++parts) {
      std::uint64_t rounds = 1;
      while (carried_in(trees, rounds) < parts) ++rounds;
      EXPECT_LE(disjoint_trees_broadcast_rounds(trees, parts), rounds) << name << " " << parts;
    }
  }
}

// 100 packets on ring:9, trees of height 8: 50 + 7 rounds. In the last 7 rounds 7 packets enter both trees, one after the other: 47 + 7
// rounds, as a flow over time to a neighbour of the root needs, over ways of 1 and 8 links: (100 + 9) / 2 - 1.
TEST(DisjointTreesBroadcast, sends_the_last_packets_of_a_ring_both_ways) {
  const DisjointTrees trees = DisjointTrees::find(network::parse("ring:9")).value();
  EXPECT_EQ(disjoint_trees_broadcast_rounds(trees, 100, 0), 57u);
  EXPECT_EQ(disjoint_trees_broadcast_rounds(trees, 100), 54u);
}

TEST(DisjointTreesBroadcast, takes_the_fewest_rounds_on_rings_even_tori_and_cubes) {
  for (const char* name : {"ring:8", "ring:27", "torus:4x4", "torus:4x4x4", "hypercube:4", "hypercube:6"}) {
    const Network network = network::parse(name);
    const DisjointTrees trees = DisjointTrees::find(network).value();
    for (const std::uint32_t parts : {32u, 47u, 100u}) {
      const std::uint64_t by_ways =
          network.degree() == 2 && network.order() % 2 == 1
              ? (parts + network.order() + 1) / 2 - 1
              : (parts + network.degree() - 1) / network.degree() + network.diameter() - 1;
      EXPECT_EQ(disjoint_trees_broadcast_rounds(trees, parts), by_ways) << name << " " << parts;
    }
  }
}

// If a hop takes 4 rounds, the last of 100 packets is everywhere 4 times the height of its tree after its start. 28 packets enter
// both trees in the last 28 rounds before a hop can end in time, after 36 rounds of the others.
TEST(DisjointTreesBroadcast, ends_sooner_by_several_trees_if_hops_take_several_rounds) {
  constexpr std::uint32_t hop_rounds = 4, parts = 100;
  const Network network = network::parse("ring:9");
  const DisjointTrees trees = DisjointTrees::find(network).value();
  const auto end = [&](std::uint32_t planned_for) {
    const schedule::Schedule schedule = disjoint_trees_broadcast(network, 0, parts, trees, planned_for);
    const schedule::Rounds& rounds = schedule.stages.at(0).rounds;
    std::vector<std::uint64_t> arrivals(std::size_t{network.order()} * parts, 0);
    std::uint64_t latest = 0;
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (const Hop& hop : rounds.round(t)) {
        const std::uint64_t since =
            hop.from == 0 ? t : arrivals[std::size_t{hop.packet} * network.order() + hop.from];
        const Node to = network.neighbour(hop.from, hop.port);
        arrivals[std::size_t{hop.packet} * network.order() + to] = since + hop_rounds;
        latest = std::max(latest, since + hop_rounds);
      }
    }
    return latest;
  };
  EXPECT_EQ(end(0), 49u + 4 * 8);
  EXPECT_EQ(end(hop_rounds), 36u + 28 + 3);
}

}  // namespace
}  // namespace isotrope::algorithm
