// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include "tests/algorithm/claims.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

template <class Tree>
std::uint64_t checked_rounds(std::uint32_t n, std::uint32_t packets, PortModel ports) {
  const Network cube = network::hypercube(n);
  const Node root = cube.order() / 3;
  const ChildPorts children = child_ports(Tree(n), root);
  const schedule::Schedule schedule = tree_broadcast(cube, root, packets, ports, children);
  const verify::Report report = check_on_hypercube(n, "broadcast", schedule, root, packets);
  EXPECT_TRUE(report.valid) << n << " " << packets;
  EXPECT_EQ(report.hops, std::uint64_t{cube.order() - 1} * packets);
  EXPECT_EQ(report.rounds, tree_broadcast_rounds(cube, root, packets, ports, children));
  return report.rounds;
}

class TreePackets : public testing::TestWithParam<std::uint32_t> {};

// Ho and Johnsson 1986, Table 3, with the Hamiltonian path's full-duplex entry corrected.
TEST_P(TreePackets, take_the_rounds_of_the_paper) {
  const std::uint32_t n = GetParam();
  const std::uint64_t nodes = std::uint64_t{1} << n;
  for (std::uint32_t p = 1; p <= 2 * n + 2; ++p) {
    EXPECT_EQ(checked_rounds<HamiltonianPath>(n, p, PortModel::half()), 2 * p + nodes - 3);
    EXPECT_EQ(checked_rounds<HamiltonianPath>(n, p, PortModel::one()), p + nodes - 2);
    EXPECT_EQ(checked_rounds<HamiltonianPath>(n, p, PortModel::all()), p + nodes - 2);
    EXPECT_EQ(checked_rounds<SpanningBinomialTree>(n, p, PortModel::half()), n * p);
    EXPECT_EQ(checked_rounds<SpanningBinomialTree>(n, p, PortModel::one()), n * p);
    EXPECT_EQ(checked_rounds<SpanningBinomialTree>(n, p, PortModel::all()), p + n - 1);
    EXPECT_EQ(checked_rounds<TwoRootedTree>(n, p, PortModel::half()), n == 2 ? 2 * p : 3 * p + 2 * n - 5);
    EXPECT_EQ(checked_rounds<TwoRootedTree>(n, p, PortModel::one()), 2 * (p + n - 2));
    EXPECT_EQ(checked_rounds<TwoRootedTree>(n, p, PortModel::all()), p + n - 1);
    EXPECT_EQ(checked_rounds<BalancedSpanningTree>(n, p, PortModel::half()), n * p + n - 2);
    EXPECT_EQ(checked_rounds<BalancedSpanningTree>(n, p, PortModel::one()), n * p + n - 2);
    EXPECT_EQ(checked_rounds<BalancedSpanningTree>(n, p, PortModel::all()), p + n - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(TreeBroadcast, TreePackets, testing::Range(2u, unless_sanitized(9, 7)));

TEST(TreeBroadcast, on_one_link_takes_a_round_a_packet) {
  for (PortModel ports : {PortModel::all(), PortModel::one(), PortModel::half()}) {
    for (std::uint32_t p = 1; p <= 4; ++p) {
      EXPECT_EQ(checked_rounds<SpanningBinomialTree>(1, p, ports), p);
      EXPECT_EQ(checked_rounds<HamiltonianPath>(1, p, ports), p);
      EXPECT_EQ(checked_rounds<TwoRootedTree>(1, p, ports), p);
    }
  }
}

TEST(TreeBroadcast, of_a_single_node_takes_no_round) {
  const Network alone = network::parse("ring:1");
  const ChildPorts no_children = [](Node) { return std::vector<Port>{}; };
  EXPECT_EQ(tree_broadcast(alone, 0, 3, PortModel::all(), no_children).round_count(), 0u);
  EXPECT_EQ(tree_broadcast_rounds(alone, 0, 3, PortModel::all(), no_children), 0u);
}

// Any tree of any network will do: here every node hangs below its first neighbour nearer to the root.
TEST(TreeBroadcast, works_on_every_network_and_port_model) {
  for (const char* name :
       {"ring:7", "torus:3x5", "hexmesh:3", "complete:6", "twisted-torus:2x2x4", "circulant:13:1,5"}) {
    const Network net = network::parse(name);
    const Node root = net.order() - 1;
    const auto first_step = [&](Node node) {
      Port port = 0;
      while (net.distance(root, net.neighbour(node, port)) >= net.distance(root, node)) ++port;
      return port;
    };
    const ChildPorts children = [&](Node node) {
      std::vector<Port> result;
      for (Port port = 0; port < net.degree(); ++port) {
        const Node child = net.neighbour(node, port);
        if (child != root && first_step(child) == net.opposite(port)) result.push_back(port);
      }
      return result;
    };
    for (PortModel ports : {PortModel::all(), PortModel::ports(2), PortModel::one(), PortModel::half()}) {
      for (std::uint32_t p : {1u, 5u}) {
        schedule::Plan plan{net,
                            {},
                            schedule::parse_task("broadcast", net, root, p),
                            tree_broadcast(net, root, p, ports, children),
                            {},
                            {}};
        EXPECT_TRUE(verify::verify(plan).valid) << name << " " << to_string(ports) << " " << p;
        EXPECT_EQ(plan.schedule.round_count(), tree_broadcast_rounds(net, root, p, ports, children));
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
