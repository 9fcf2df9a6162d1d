// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The agreement of all nodes on routes, in one process. What forwarders do with them is in forwarder_test.cpp.
#include "isotrope/forward/balanced_routes.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::forward {
namespace {

using Bytes = std::function<std::uint64_t(Node from, Node to)>;

// The nodes of torus:4x4, of diameter 4.
class Agreement {
 public:
  explicit Agreement(const Bytes& bytes) : Agreement(bytes, LaneGraph(torus())) {}
  Agreement(const Bytes& bytes, const cost::Machine& machine)
      : Agreement(bytes, LaneGraph(torus(), machine)) {}

  const LaneGraph& graph() const { return graph_; }
  BalancedRoutes& node(Node node) { return nodes_[node]; }
  void make_round() {
    std::vector<std::uint64_t> sums(BalancedRoutes::round_numbers(graph_), 0), own(sums.size());
    for (BalancedRoutes& node : nodes_) {
      node.write_loads(own);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
    }
    for (BalancedRoutes& node : nodes_) node.take_loads(sums);
  }

 private:
  Agreement(const Bytes& bytes, LaneGraph graph) : graph_(std::move(graph)) {
    for (Node node = 0; node < graph_.nodes(); ++node) {
      std::vector<std::uint64_t> sent(graph_.nodes(), 0);
      std::uint64_t received = 0;
      for (Node other = 0; other < graph_.nodes(); ++other) {
        if (other == node) continue;
        sent[other] = bytes(node, other);
        received += bytes(other, node);
      }
      nodes_.emplace_back(graph_, node, sent, received, 4);
    }
    std::vector<std::uint64_t> sums(BalancedRoutes::demand_numbers(graph_), 0), own(sums.size());
    for (BalancedRoutes& node : nodes_) {
      node.write_demand(own);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
    }
    for (BalancedRoutes& node : nodes_) node.take_demand(sums);
  }

  static network::SurvivingNetwork torus() {
    const network::NamedNetwork network = network::parse_named("torus:4x4");
    return {network.network, network.lacks};
  }

  LaneGraph graph_;
  std::deque<BalancedRoutes> nodes_;
};

std::uint64_t to_the_next(Node from, Node to) {
  return to == (from + 1) % 16 ? 1 << 20 : 0;
}

// Equal blocks load all links alike, and meet the distance bound: 32 hops of a block from each node over 4 links.
TEST(BalancedRoutes, KnowsThatUniformTrafficIsBalanced) {
  Agreement agreement([](Node, Node) { return 1000; });
  EXPECT_NEAR(agreement.node(0).bound(), 8000, 16);  // loads are rounded
  EXPECT_NEAR(agreement.node(0).busiest(), 8000, 16);
  EXPECT_EQ(agreement.node(0).rounds_that_pay(1e-9, 1e-6), 0U);
}

// A block over one link, or over the 4 links of its node at best.
TEST(BalancedRoutes, MakesTheRoundsThatPay) {
  Agreement agreement(to_the_next);
  BalancedRoutes& node = agreement.node(0);
  EXPECT_GE(node.busiest(), 1 << 20);
  EXPECT_GE(node.bound(), 1 << 18);
  const double byte_s = 1e-9, excess_s = (node.busiest() - node.bound()) * byte_s;
  EXPECT_EQ(node.rounds_that_pay(byte_s, 0.05 * excess_s), 3U);
  EXPECT_EQ(node.rounds_that_pay(byte_s, excess_s), 0U);
  EXPECT_EQ(node.rounds_that_pay(byte_s, 0), BalancedRoutes::most_rounds);
}

// Links of 1 ns a byte, and of `slow` times as much along axis 0.
cost::Machine slow_columns(double slow) {
  cost::Machine machine{.byte_time_s = 1e-9};
  machine.listed_classes[0] = {.axes = 1, .startup_s = {}, .byte_time_s = 1e-9 * slow};
  machine.link_class_count = slow == 1 ? 0 : 1;
  return machine;
}

// The most nanoseconds of a link, if each block goes in so many parts along routes that were balanced for `machine`.
double busiest_ns(const Bytes& bytes, const cost::Machine& machine, double slow) {
  constexpr std::size_t parts = 64;
  Agreement agreement(bytes, machine);
  for (std::uint32_t round = 0; round < BalancedRoutes::most_rounds; ++round) agreement.make_round();
  const LaneGraph& graph = agreement.graph();
  std::vector<double> loads(graph.lanes().size(), 0);
  for (Node from = 0; from < graph.nodes(); ++from) {
    agreement.node(from).finish();
    for (Node to = 0; to < graph.nodes(); ++to) {
      if (from == to || bytes(from, to) == 0) continue;
      for (const Route& route : agreement.node(from).routes(to, parts)) {
        Node at = from;
        for (const auto lane : route) {
          loads[graph.first(at) + lane] += static_cast<double>(bytes(from, to)) / parts;
          at = graph.out(at)[lane].to;
        }
      }
    }
  }
  double busiest = 0;
  for (std::size_t lane = 0; lane < loads.size(); ++lane) {
    const auto& [from, to, links, width] = graph.lanes()[lane];
    busiest = std::max(busiest, loads[lane] * (from % 4 == to % 4 ? slow : 1));
  }
  return busiest;
}

// Columns have a quarter of the bandwidth. A block for the next column takes its row both ways, and detours over the rows above and below: a quarter
// each if all links count alike, else a tenth.
TEST(BalancedRoutes, TakeFewDetoursOverSlowLinks) {
  constexpr double slow = 4;
  const Bytes to_the_right = [](Node from, Node to) {
    return from == 0 && to == 1 ? std::uint64_t{1} << 20 : 0;
  };
  const double alike = busiest_ns(to_the_right, slow_columns(1), slow),
               weighed = busiest_ns(to_the_right, slow_columns(slow), slow);
  EXPECT_LT(weighed, 0.6 * alike);
}

// A link of width 1 takes four times the bytes of one of width 1/4.
TEST(LaneGraph, HasLanesAsWideAsTheirLinksAreFast) {
  const network::NamedNetwork torus = network::parse_named("torus:4x4@2,1");
  const LaneGraph graph({torus.network, torus.lacks}, slow_columns(4));
  for (const auto& [from, to, links, width] : graph.lanes()) {
    EXPECT_EQ(links, from % 4 == to % 4 ? 2U : 1U);
    EXPECT_DOUBLE_EQ(width, from % 4 == to % 4 ? 0.25 : 1);
  }
  EXPECT_DOUBLE_EQ(graph.width(0), 2.5);
  EXPECT_DOUBLE_EQ(graph.widest(), 1);
}

TEST(BalancedRoutes, GivesRoutesAlsoIfTheLastSumFailed) {
  Agreement agreement(to_the_next);
  BalancedRoutes& node = agreement.node(5);
  std::vector<std::uint64_t> loads(BalancedRoutes::round_numbers(agreement.graph()));
  node.write_loads(loads);
  const std::vector<Route> routes = node.routes(6, 10);
  ASSERT_EQ(routes.size(), 10U);
  for (const Route& route : routes) {
    Node at = 5;
    for (const auto lane : route) at = agreement.graph().out(at)[lane].to;
    EXPECT_EQ(at, 6U);
  }
}

}  // namespace
}  // namespace isotrope::forward
