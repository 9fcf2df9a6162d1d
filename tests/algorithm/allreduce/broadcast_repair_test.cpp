// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Mirrored broadcasts completed by ejections, and checked hop by hop with all their images.
#include "isotrope/algorithm/allreduce/broadcast_repair.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/symmetries.hpp"

namespace isotrope::algorithm {
namespace {

// A network with pairs of broadcasts from the first node of each orbit, which begin in the first and in the last third.
struct Case {
  explicit Case(const char* name, bool symmetric, std::uint32_t rounds)
      : named(network::parse_named(name)),
        network(named.network, named.lacks),
        graph(network),
        orbits(network, graph,
               symmetric ? schedule::symmetry_axes(named.network, named.lacks) : schedule::SymmetryAxes{}),
        last(rounds) {
    for (const std::uint32_t root : orbits.nodes()) {
      broadcasts.push_back({root, rounds / 3});
      broadcasts.push_back({root, rounds - rounds / 3});
    }
  }

  BroadcastRepair repair(const std::vector<BroadcastHop>& hops, std::uint64_t seed = 1) const {
    return {graph, orbits, broadcasts, hops, last, seed};
  }

  network::NamedNetwork named;
  network::SurvivingNetwork network;
  ArcGraph graph;
  ArcOrbits orbits;
  std::uint32_t last;
  std::vector<RootedBroadcast> broadcasts;
};

// What is wrong with hops, if all their images move too; nothing if they are part of broadcasts with their mirror.
std::string fault(const Case& of, const std::vector<BroadcastHop>& hops) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> has_from;  // by broadcast and node
  for (std::uint32_t b = 0; b < of.broadcasts.size(); ++b)
    has_from[{b, of.broadcasts[b].root}] = of.broadcasts[b].begin;
  for (const auto& [b, arc, round] : hops) {
    if (!has_from.insert({{b, of.graph[arc].to}, round + 1}).second) return "a node gets a packet twice";
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> taken;  // arc, round
  for (const auto& [b, arc, round] : hops) {
    if (round >= of.last) return "a hop after the last round";
    const auto sender = has_from.find({b, of.graph[arc].from});
    if (sender == has_from.end() || sender->second > round) return "a node sends what it does not have";
    for (std::uint32_t i = 0; i < of.orbits.size(); ++i) {
      const std::uint32_t image = of.orbits.image(i, arc);
      if (!taken.insert({image, round}).second) return "a link carries two packets";
      if (!taken.insert({of.graph[image].opposite, of.last - 1 - round}).second)
        return "a mirrored link carries two packets";
    }
  }
  return {};
}

std::size_t all_hops(const Case& of) {
  return of.broadcasts.size() * (of.graph.nodes() - 1);
}

TEST(BroadcastRepair, delivers_everything_from_nothing_if_rounds_suffice) {
  for (const char* name : {"line:2", "line:5", "mesh:3x3", "mesh:2x4x3", "line:4xring:6", "complete:3xline:4",
                           "hypercube:2xline:3", "ring:7"}) {
    for (const bool symmetric : {false, true}) {
      const Case of(name, symmetric, 60);
      BroadcastRepair repair = of.repair({});
      ASSERT_TRUE(repair.succeeds(1'000'000)) << name;
      EXPECT_EQ(fault(of, repair.deliveries()), "") << name << (symmetric ? ", symmetric" : "");
      EXPECT_EQ(repair.deliveries().size(), all_hops(of)) << name;
    }
  }
}

// Each end of the line lacks 14 packets, and its link brings at most one in each of 9 rounds.
TEST(BroadcastRepair, gives_up_if_rounds_do_not_suffice) {
  for (const bool symmetric : {false, true}) {
    const Case of("line:8", symmetric, 9);
    BroadcastRepair repair = of.repair({});
    EXPECT_FALSE(repair.succeeds(100'000));
    EXPECT_GE(repair.slots(), 100'000U);
    EXPECT_LT(repair.deliveries().size(), all_hops(of));
  }
}

TEST(BroadcastRepair, leaves_what_is_complete_as_it_is) {
  const Case of("mesh:3x4", true, 40);
  BroadcastRepair first = of.repair({});
  ASSERT_TRUE(first.succeeds(1'000'000));
  BroadcastRepair again = of.repair(first.deliveries(), 2);
  EXPECT_TRUE(again.succeeds(0));
  EXPECT_THAT(again.deliveries(), testing::ElementsAreArray(first.deliveries()));
}

TEST(BroadcastRepair, completes_broadcasts_that_lack_hops) {
  const Case of("mesh:4x4", false, 30);
  BroadcastRepair whole = of.repair({});
  ASSERT_TRUE(whole.succeeds(1'000'000));
  for (std::uint32_t lost = 0; lost < 40; ++lost) {
    std::vector<BroadcastHop> hops = whole.deliveries();
    // Hops to nodes that pass the packet on cannot go alone.
    const auto passes_on = [&](const BroadcastHop& hop) {
      return std::ranges::any_of(hops, [&](const BroadcastHop& next) {
        return next.broadcast == hop.broadcast && of.graph[next.arc].from == of.graph[hop.arc].to;
      });
    };
    const auto leaf = std::ranges::find_if_not(hops.begin() + lost, hops.end(), passes_on);
    ASSERT_NE(leaf, hops.end());
    hops.erase(leaf);
    ASSERT_EQ(fault(of, hops), "");
    BroadcastRepair repair = of.repair(hops, lost);
    EXPECT_TRUE(repair.succeeds(1'000'000));
    EXPECT_EQ(fault(of, repair.deliveries()), "");
    EXPECT_EQ(repair.deliveries().size(), all_hops(of));
  }
}

TEST(BroadcastRepair, is_deterministic) {
  const Case of("line:3xring:4", true, 20);
  std::vector<std::vector<BroadcastHop>> results;
  for (int i = 0; i < 2; ++i) {
    BroadcastRepair repair = of.repair({}, 7);
    repair.succeeds(20'000);
    results.push_back(repair.deliveries());
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace isotrope::algorithm
