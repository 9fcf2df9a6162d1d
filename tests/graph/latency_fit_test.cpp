// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/latency_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/graph/dilation.hpp"
#include "isotrope/graph/families.hpp"
#include "isotrope/graph/leaf_switches.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::graph {
namespace {

using network::Node;

// The latencies of a network whose nodes are numbered at random: 12 us, and 3 us for every further hop.
struct Machine {
  Machine(const std::string& name, std::uint64_t seed, double noise)
      : named(network::parse_named(name)), graph(named.network, named.lacks), distances(graph), random(seed) {
    places.resize(named.network.order());
    std::iota(places.begin(), places.end(), Node{0});
    for (Node i = named.network.order() - 1; i > 0; --i) std::swap(places[i], places[random.below(i + 1)]);
    for (Node high = 1; high < places.size(); ++high) {
      for (Node low = 0; low < high; ++low)
        latencies.set(low, high, 9 + 3 * distances(places[low], places[high]) * (1 + noise * share()));
    }
  }

  // From 0 to 1.
  double share() { return static_cast<double>(random() >> 11) * 0x1p-53; }
  // Makes the latencies of some pairs far too long.
  void disturb(int count) {
    for (int i = 0; i < count; ++i) {
      const Node a = random.below(named.network.order());
      const Node b = (a + 1 + random.below(named.network.order() - 1)) % named.network.order();
      latencies.set(a, b, latencies(a, b) * (1.3 + 10 * share()));
    }
  }

  network::NamedNetwork named;
  network::SurvivingNetwork graph;
  Distances distances;
  SplitMix random;
  std::vector<Node> places;
  Latencies latencies{named.network.order()};
};

// The name of the network found, whose distances must be those of the machine.
std::string found_on(const Machine& machine) {
  const Discovery discovery = discovered(machine.latencies);
  if (!discovery.is_family) return "none";
  const auto& [named, places] = discovery.best.front().network;
  const network::SurvivingNetwork graph(named.network, named.lacks);
  const Distances distances(graph);
  for (Node a = 0; a < places.nodes(named.network.order()).size(); ++a) {
    for (Node b = 0; b < a; ++b)
      EXPECT_EQ(distances(places.node_of(a), places.node_of(b)),
                machine.distances(machine.places[a], machine.places[b]));
  }
  return named.network.name();
}

const std::vector<std::vector<std::string>> machines{
    // what it is, and what it is called
    {"hypercube:4", "hypercube:4"},
    {"torus:4x4", "hypercube:4"},
    {"ring:8", "ring:8"},
    {"mesh:3x5", "mesh:5x3"},
    {"ring:4", "hypercube:2"},
    {"line:4", "line:4"},
    {"complete:4", "complete:4"},
    {"complete:8", "complete:8"},
    {"torus:5x3", "torus:5x3"},
    {"torus:4x4x4", "hypercube:6"},
    {"torus:8x4", "torus:8x4"},
    {"line:6xring:4", "line:6xring:4"},
    {"complete:4xcomplete:4", "complete:4xcomplete:4"},
    {"torus:6x3xcomplete:2", "torus:6x3x2"},
    {"hexmesh:3", "hexmesh:3"},
    {"twisted-torus:4x8", "twisted-torus:4x8"},
    {"ring:2", "hypercube:1"},
};

TEST(LatencyFit, names_the_network_of_exact_latencies) {
  for (const auto& machine : machines) EXPECT_EQ(found_on(Machine(machine[0], 7, 0)), machine[1]);
}

TEST(LatencyFit, bears_noise) {
  for (const auto& machine : machines) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      EXPECT_EQ(found_on(Machine(machine[0], seed, 0.1)), machine[1]) << seed;
  }
}

TEST(LatencyFit, bears_pairs_that_were_disturbed) {
  for (const char* name : {"hypercube:4", "ring:16", "mesh:5x3", "torus:8x4", "complete:16"}) {
    for (std::uint64_t seed = 1; seed <= unless_sanitized(3, 1); ++seed) {
      Machine machine(name, seed, 0.05);
      machine.disturb(3);
      EXPECT_EQ(found_on(machine), name) << seed;
    }
  }
}

// Every node adds up to 3 us to its latencies, as much as a hop.
TEST(LatencyFit, bears_slow_nodes) {
  for (const char* name : {"hypercube:4", "ring:16", "mesh:5x3", "torus:8x4", "complete:16"}) {
    for (std::uint64_t seed = 1; seed <= unless_sanitized(3, 1); ++seed) {
      Machine machine(name, seed, 0.05);
      const Node order = machine.named.network.order();
      std::vector<double> slow;
      for (Node node = 0; node < order; ++node) slow.push_back(3 * machine.share());
      for (Node a = 1; a < order; ++a) {
        for (Node b = 0; b < a; ++b) machine.latencies.set(a, b, machine.latencies(a, b) + slow[a] + slow[b]);
      }
      EXPECT_EQ(found_on(machine), name) << seed;
    }
  }
}

// 12 us, and 0.7 us for every further hop, up to 1.5 % more or less.
TEST(LatencyFit, tells_hops_of_six_percent_from_noise) {
  for (const char* name : {"ring:6", "ring:8", "hypercube:4", "mesh:5x3", "torus:5x4"}) {
    for (std::uint64_t seed = 1; seed <= unless_sanitized(3, 1); ++seed) {
      Machine machine(name, seed, 0);
      const Node order = machine.named.network.order();
      for (Node a = 1; a < order; ++a) {
        for (Node b = 0; b < a; ++b) {
          const auto further = machine.distances(machine.places[a], machine.places[b]) - 1;
          machine.latencies.set(a, b, (12 + 0.7 * further) * (0.985 + 0.03 * machine.share()));
        }
      }
      EXPECT_EQ(found_on(machine), name) << seed;
    }
  }
}

// Hosts at leaf switches, numbered at random; between leaves latencies are longer by a share.
Latencies latencies_of_leaves(Node leaves, Node each, double longer, std::uint64_t seed) {
  Machine machine(fmt::format("complete:{}", leaves * each), seed, 0);
  for (Node a = 1; a < leaves * each; ++a) {
    for (Node b = 0; b < a; ++b) {
      const bool is_one_leaf = machine.places[a] / each == machine.places[b] / each;
      machine.latencies.set(a, b, 10 * (is_one_leaf ? 1 : 1 + longer) * (0.98 + 0.04 * machine.share()));
    }
  }
  return machine.latencies;
}

TEST(LatencyFit, takes_leaf_switches_for_no_direct_network) {
  const std::vector<std::pair<Node, Node>> machines_of_leaves{{2, 4}, {2, 8}, {4, 4}, {3, 2}, {4, 2}};
  for (const auto& [leaves, each] : machines_of_leaves) {
    for (const double longer : {0.0, 0.05, 0.2, 1.0}) {
      const Discovery found = discovered(latencies_of_leaves(leaves, each, longer, 3));
      const std::string name = found.is_family ? found.best.front().network.named.network.name() : "none";
      EXPECT_EQ(name, longer < 0.1 ? fmt::format("complete:{}", leaves * each) : "none")
          << leaves << ' ' << each << ' ' << longer;
    }
  }
}

TEST(LeafSwitches, are_found_by_mean_latencies) {
  const Latencies latencies = latencies_of_leaves(3, 5, 0.05, 4);
  Machine machine("complete:15", 4, 0);

  const std::vector<Node> leaves = LeafSwitches(latencies).leaves_of_nodes(3);

  for (Node a = 0; a < 15; ++a) {
    for (Node b = 0; b < 15; ++b)
      EXPECT_EQ(leaves[a] == leaves[b], machine.places[a] / 5 == machine.places[b] / 5) << a << ' ' << b;
  }
}

TEST(LatencyFit, names_large_networks) {
  EXPECT_EQ(found_on(Machine("torus:16x16", 5, 0.05)), "torus:16x16");
  EXPECT_EQ(found_on(Machine("torus:16x8x8", 5, 0.02)), "torus:16x8x8");
  EXPECT_EQ(found_on(Machine("line:12xring:20", 5, 0.05)), "ring:20xline:12");
}

TEST(LatencyFit, of_what_fits_nothing_is_the_best_three) {
  Latencies latencies(9);
  SplitMix random(11);
  for (Node a = 1; a < 9; ++a) {
    for (Node b = 0; b < a; ++b) latencies.set(a, b, 5 + random.below(40));
  }

  const Discovery discovery = discovered(latencies);

  EXPECT_FALSE(discovery.is_family);
  ASSERT_EQ(discovery.best.size(), 3U);
  EXPECT_LE(discovery.best[0].misfit, discovery.best[1].misfit);
  EXPECT_LE(discovery.best[1].misfit, discovery.best[2].misfit);
  EXPECT_GT(discovery.best[0].misfit, 0.1);
}

// A star of six: one node next to five that are two hops apart.
TEST(LatencyFit, of_another_graph_has_its_links) {
  Latencies latencies(6);
  for (Node a = 1; a < 6; ++a) {
    for (Node b = 0; b < a; ++b) latencies.set(a, b, b == 0 ? 10 : 14);
  }

  const Discovery discovery = discovered(latencies);

  EXPECT_FALSE(discovery.is_family);
  EXPECT_EQ(discovery.edges, (std::vector<network::Edge>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}));
}

// Two nodes, 12 and 18: |12 - 18| / 18 = 1/3 for one of three pairs.
TEST(LatencyFit, misfit_is_the_mean_deviation_from_the_median) {
  Latencies latencies(3);
  latencies.set(0, 1, 18);
  latencies.set(1, 2, 12);
  latencies.set(0, 2, 18);

  const Discovery discovery = discovered(latencies);

  const auto complete =
      std::ranges::find_if(discovery.best, [](const LatencyFit& fit) { return fit.by_distance.size() == 1; });
  ASSERT_NE(complete, discovery.best.end());
  EXPECT_NEAR(complete->misfit, 1.0 / 9, 1e-12);
}

TEST(LatencyFit, of_too_many_nodes_is_refused) {
  EXPECT_THROW(Latencies(1), Error);
  EXPECT_THROW(Latencies(1025), Error);
}

TEST(Families, are_each_graph_once) {
  std::vector<std::string> names;
  for (const auto& named : families_of(16)) names.push_back(named.network.name());
  EXPECT_EQ(names, (std::vector<std::string>{"ring:16", "line:16", "complete:16", "hypercube:4",
                                             "ring:4xline:4", "ring:4xcomplete:4", "mesh:4x4",
                                             "line:4xcomplete:4", "complete:4xcomplete:4", "torus:8x2",
                                             "line:8xring:2", "complete:8xring:2"}));
}

}  // namespace
}  // namespace isotrope::graph
