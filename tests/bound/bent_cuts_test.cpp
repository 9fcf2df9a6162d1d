// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/bent_cuts.hpp"

#include <bit>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using network::Failures;
using network::Node;
using network::Port;
using testing::HasSubstr;

// The best set of all, by exhaustion, as packets over links.
double best_of_all(const network::SurvivingNetwork& network, Crossing crossing) {
  const auto& nodes = network.nodes();
  double best = 0;
  for (std::uint64_t set = 1; set + 1 < std::uint64_t{1} << nodes.size(); ++set) {
    const auto holds = [&](Node node) {
      const auto place = std::ranges::find(nodes, node) - nodes.begin();
      return (set >> place & 1) != 0;
    };
    std::uint64_t border = 0;
    for (const Node node : nodes) {
      if (!holds(node)) continue;
      network.for_each_neighbour(node, [&](Port, Node other) { border += holds(other) ? 0 : 1; });
    }
    const auto inside = static_cast<std::uint64_t>(std::popcount(set));
    best = std::max(best, static_cast<double>(crossing_packets(crossing, inside, nodes.size() - inside)) /
                              static_cast<double>(border));
  }
  return best;
}

struct Damage {
  const char* network;
  Failures failed;
};

TEST(BentCuts, are_the_best_sets_of_small_networks) {
  for (const auto& [name, failed] :
       {Damage{"ring:7", {{}, {{2, 0}}}}, Damage{"torus:3x4", {{5}, {}}}, Damage{"torus:3x4", {{5, 6}, {}}},
        Damage{"torus:2x5", {{}, {{3, 1}, {8, 0}}}}, Damage{"hypercube:3", {{6}, {}}},
        Damage{"mesh:3x4", {{5}, {}}}}) {
    auto [network, lacks] = network::parse_named(name);
    Failures all = failed;
    all.open_axes = lacks.open_axes;
    const network::SurvivingNetwork survivors(network, all);
    for (const Crossing crossing : {Crossing::pairs, Crossing::larger_side}) {
      const NodeCut cut = best_cut(survivors, crossing);
      const std::uint64_t outside = survivors.nodes().size() - cut.inside;
      const double found = static_cast<double>(crossing_packets(crossing, cut.inside, outside)) /
                           static_cast<double>(cut.border);
      // A single node is the best set for the larger side, and the degree bound knows it.
      const double best = best_of_all(survivors, crossing);
      EXPECT_LE(found, best) << name;
      EXPECT_GE(found, crossing == Crossing::pairs ? best : 0) << name;
    }
  }
}

std::uint64_t alltoall_bound(const char* name, const Failures& failed) {
  const auto network = network::parse(name);
  return lower_bounds(
             {.network = network, .failed = failed, .task = {.collective = schedule::Collective::alltoall}})
      .front()
      .value;
}

// Boards of 2x2x1 and 2x2 nodes, nodes and links; the figures of prototypes.
TEST(BentCuts, bound_exchanges_around_failures) {
  EXPECT_EQ(alltoall_bound("torus:8x8x8", {{100}, {}}), 515u);
  EXPECT_EQ(alltoall_bound("torus:8x8x8", {{}, {{100, 0}}}), 517u);
  EXPECT_EQ(alltoall_bound("torus:8x8x8", {{0, 8, 64, 72}, {}}), 521u);
  EXPECT_EQ(alltoall_bound("torus:16x16", {{40}, {}}), 525u);
  EXPECT_EQ(alltoall_bound("torus:16x16", {{0, 1, 16, 17}, {}}), 530u);
  EXPECT_EQ(alltoall_bound("torus:8x8", {{9}, {}}), 67u);
  EXPECT_EQ(alltoall_bound("hypercube:8", {{}, {{9, 3}}}), 130u);
}

TEST(BentCuts, say_where_the_nodes_are) {
  const auto network = network::parse("torus:8x8");
  const network::SurvivingNetwork survivors(network, {{}, {{9, 0}}});
  const NodeCut cut = best_cut(survivors, Crossing::pairs);
  EXPECT_EQ(cut.inside, 32u);
  EXPECT_EQ(cut.border, 15u);
  EXPECT_THAT(cut.where, HasSubstr("with coordinate 0 in "));
}

}  // namespace
}  // namespace isotrope::bound
