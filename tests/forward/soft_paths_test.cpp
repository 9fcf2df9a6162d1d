// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/soft_paths.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/forward/shortest_ports.hpp"

namespace isotrope::forward {
namespace {

network::SurvivingNetwork survivors(const std::string& name) {
  const network::NamedNetwork network = network::parse_named(name);
  return {network.network, network.lacks};
}

const std::vector<std::string>& weighted_networks() {
  static const std::vector<std::string> names{"ring:5",    "line:4",        "complete:4",
                                              "torus:3x3", "torus:3x3@2,1", "mesh:2x3"};
  return names;
}

std::vector<double> random_lengths(std::size_t lanes, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<double> result;
  for (std::size_t i = 0; i < lanes; ++i) result.push_back(0.1 + 0.01 * random.below(100));
  return result;
}

// All walks of at most so many hops that do not come back to the source, by brute force.
class Walks {
 public:
  struct Walk {
    std::vector<std::uint32_t> lanes;
    Node end;
    double cost;
  };

  Walks(const LaneGraph& graph, Node source, const std::vector<double>& lengths, std::uint32_t most_hops)
      : graph_(graph), source_(source), lengths_(lengths), most_hops_(most_hops) {
    extend({{}, source, 0.0});
  }
  const std::vector<Walk>& all() const { return walks_; }

 private:
  void extend(const Walk& walk) {
    if (!walk.lanes.empty()) walks_.push_back(walk);
    if (walk.lanes.size() == most_hops_) return;
    for (std::uint32_t lane = graph_.first(walk.end); lane < graph_.first(walk.end + 1); ++lane) {
      const Node to = graph_.lanes()[lane].to;
      if (to == source_) continue;
      Walk longer = walk;
      longer.lanes.push_back(lane);
      longer.end = to;
      longer.cost += lengths_[lane];
      extend(longer);
    }
  }

  const LaneGraph& graph_;
  Node source_;
  const std::vector<double>& lengths_;
  std::uint32_t most_hops_;
  std::vector<Walk> walks_;
};

TEST(SoftPaths, DivideAsAllWalksSay) {
  constexpr double theta = 3;
  for (const std::string& name : weighted_networks()) {
    const network::SurvivingNetwork network = survivors(name);
    const LaneGraph graph(network);
    const std::uint32_t hops = distances_of(network).largest + 2;
    const std::vector<double> lengths = random_lengths(graph.lanes().size(), 5);
    const Node source = 1, nodes = graph.nodes();
    const Walks walks(graph, source, lengths, hops);
    std::vector<double> least(nodes, std::numeric_limits<double>::infinity()), total(nodes, 0);
    for (const Walks::Walk& walk : walks.all()) least[walk.end] = std::min(least[walk.end], walk.cost);
    const auto weight = [&](const Walks::Walk& walk) {
      return std::exp(-theta * (walk.cost - least[walk.end]));
    };
    for (const Walks::Walk& walk : walks.all()) total[walk.end] += weight(walk);
    std::vector<std::uint64_t> bytes;
    for (Node node = 0; node < nodes; ++node) bytes.push_back(node == source ? 0 : 100 * node);
    std::vector<double> expected(graph.lanes().size(), 0), loads(graph.lanes().size(), 0);
    for (const Walks::Walk& walk : walks.all()) {
      for (const std::uint32_t lane : walk.lanes)
        expected[lane] += static_cast<double>(bytes[walk.end]) * weight(walk) / total[walk.end];
    }
    SoftPaths(graph, source, lengths, hops, theta).add_loads(bytes, loads);
    for (std::size_t lane = 0; lane < loads.size(); ++lane)
      EXPECT_NEAR(loads[lane], expected[lane], 1e-6) << name << ", lane " << lane;
  }
}

TEST(SoftPaths, DrawWaysToTheDestination) {
  for (const std::string& name : weighted_networks()) {
    const network::SurvivingNetwork network = survivors(name);
    const LaneGraph graph(network);
    const std::uint32_t hops = distances_of(network).largest + 2;
    const SoftPaths paths(graph, 0, random_lengths(graph.lanes().size(), 6), hops, 2);
    SplitMix random(7);
    for (Node to = 1; to < graph.nodes(); ++to) {
      for (const std::size_t count : {1UL, 2UL, 50UL}) {
        const std::vector<Route> routes = paths.draw(to, count, random);
        ASSERT_EQ(routes.size(), count);
        for (const Route& route : routes) {
          ASSERT_GE(route.size(), 1U);
          ASSERT_LE(route.size(), hops);
          Node at = 0;
          for (const auto lane : route) {
            ASSERT_NE(at, to) << "the route goes on behind its destination";
            ASSERT_LT(lane, graph.out(at).size());
            at = graph.out(at)[lane].to;
          }
          EXPECT_EQ(at, to) << name;
        }
      }
    }
  }
}

// Every lane gets its share, to within the hops that rounding may move.
TEST(SoftPaths, DrawInProportion) {
  constexpr std::uint64_t count = 1000;
  const network::SurvivingNetwork network = survivors("torus:3x3");
  const LaneGraph graph(network);
  const std::vector<double> lengths(graph.lanes().size(), 1.0);
  const SoftPaths paths(graph, 0, lengths, distances_of(network).largest,
                        1);  // no walk passes its destination
  std::vector<std::uint64_t> bytes(graph.nodes(), 0);
  bytes[4] = count;
  std::vector<double> loads(graph.lanes().size(), 0), drawn(graph.lanes().size(), 0);
  paths.add_loads(bytes, loads);
  SplitMix random(8);
  for (const Route& route : paths.draw(4, count, random)) {
    Node at = 0;
    for (const auto lane : route) {
      ++drawn[graph.first(at) + lane];
      at = graph.out(at)[lane].to;
    }
  }
  for (std::size_t lane = 0; lane < loads.size(); ++lane) EXPECT_NEAR(drawn[lane], loads[lane], 4) << lane;
}

TEST(SoftPaths, StayFiniteOnLongWays) {
  const network::SurvivingNetwork network = survivors("ring:200");
  const LaneGraph graph(network);
  const SoftPaths paths(graph, 0, std::vector<double>(graph.lanes().size(), 1.1), 102, 30);
  std::vector<std::uint64_t> bytes(graph.nodes(), 0);
  bytes[100] = 1000;
  std::vector<double> loads(graph.lanes().size(), 0);
  paths.add_loads(bytes, loads);
  double hops = 0;
  for (const double load : loads) hops += load;
  EXPECT_NEAR(hops, 100 * 1000.0, 1);
}

// A unit that follows a route chooses its lane by the numbers of shortest_ports.hpp.
TEST(LaneGraph, NumbersLanesAsNodesDo) {
  for (const std::string& name : weighted_networks()) {
    const network::SurvivingNetwork network = survivors(name);
    const LaneGraph graph(network);
    std::vector<std::size_t> entering(graph.nodes(), 0);
    for (Node node = 0; node < graph.nodes(); ++node) {
      const ShortestPorts ports(network, node);
      ASSERT_EQ(graph.out(node).size(), ports.lanes());
      for (std::size_t lane = 0; lane < ports.lanes(); ++lane) {
        EXPECT_EQ(graph.out(node)[lane].from, node);
        EXPECT_EQ(graph.out(node)[lane].to, ports.neighbour(lane));
        EXPECT_EQ(graph.out(node)[lane].links, ports.links(lane));
      }
      for (const std::uint32_t lane : graph.in(node)) EXPECT_EQ(graph.lanes()[lane].to, node);
      entering[node] = graph.in(node).size();
      EXPECT_EQ(graph.links(node), network.ports(node).size());
    }
    std::size_t lanes = 0;
    for (const std::size_t count : entering) lanes += count;
    EXPECT_EQ(lanes, graph.lanes().size()) << name;
  }
}

}  // namespace
}  // namespace isotrope::forward
