// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The agreement of all nodes on routes, in one process. What forwarders do with them is in forwarder_test.cpp.
#include "isotrope/forward/balanced_routes.hpp"

#include <deque>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::forward {
namespace {

using Bytes = std::function<std::uint64_t(Node from, Node to)>;

// The nodes of torus:4x4, of diameter 4.
class Agreement {
 public:
  explicit Agreement(const Bytes& bytes) {
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

  const LaneGraph& graph() const { return graph_; }
  BalancedRoutes& node(Node node) { return nodes_[node]; }

 private:
  static network::SurvivingNetwork torus() {
    const network::NamedNetwork network = network::parse_named("torus:4x4");
    return {network.network, network.lacks};
  }

  LaneGraph graph_{torus()};
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
