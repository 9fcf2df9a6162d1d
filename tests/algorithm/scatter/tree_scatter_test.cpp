// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/tree_scatter.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/scatter/binomial_scatter.hpp"
#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/rotation_order.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include "tests/algorithm/claims.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

constexpr std::uint64_t unbounded = UINT64_MAX;

template <class Tree>
verify::Report checked_scatter(std::uint32_t n, const char* order, PortModel ports, std::uint64_t merge = 1,
                               std::uint32_t parts = 1) {
  const Network cube = network::hypercube(n);
  const Node root = cube.order() / 3;
  const RootedTree tree(cube, root, child_ports(Tree(n), root));
  const schedule::Schedule schedule =
      tree_scatter(cube, tree, {parts, ports, parse_root_order(order), merge});
  verify::Report report = check_on_hypercube(n, "scatter", schedule, root, parts);
  EXPECT_TRUE(report.valid) << n << " " << order << " " << to_string(ports) << " " << merge;
  return report;
}

template <class Tree>
std::uint64_t rounds(std::uint32_t n, const char* order, PortModel ports, std::uint64_t merge = 1,
                     std::uint32_t parts = 1) {
  return checked_scatter<Tree>(n, order, ports, merge, parts).rounds;
}

std::uint64_t transfer(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

const PortModel single[] = {PortModel::one(), PortModel::half()};

class ScatterSizes : public testing::TestWithParam<std::uint32_t> {
 protected:
  const std::uint32_t n_ = GetParam();
  const std::uint64_t others_ = (std::uint64_t{1} << n_) - 1;
};

// Section 4.2: N - 1 rounds for one packet a destination, one port at a time, along either tree.
TEST_P(ScatterSizes, packet_by_packet_is_optimal_over_one_port) {
  for (const std::uint32_t parts : {1u, 2u, 3u}) {
    for (const PortModel ports : single) {
      EXPECT_EQ(rounds<SpanningBinomialTree>(n_, "descending", ports, 1, parts), others_ * parts);
      EXPECT_EQ(rounds<BalancedSpanningTree>(n_, "cyclic", ports, 1, parts), others_ * parts);
      EXPECT_EQ(rounds<TwoRootedTree>(n_, "reverse-breadth-first", ports, 1, parts), others_ * parts);
    }
    for (const char* order : {"reverse-breadth-first", "postorder", "cyclic", "cyclic-postorder"}) {
      EXPECT_EQ(rounds<SpanningBinomialTree>(n_, order, PortModel::one(), 1, parts), others_ * parts);
      EXPECT_EQ(rounds<BalancedSpanningTree>(n_, order, PortModel::one(), 1, parts), others_ * parts);
    }
  }
}

// A depth-first order begins with near nodes, and ends a round late at the least.
TEST_P(ScatterSizes, preorder_ends_later) {
  if (n_ == 1) return;
  EXPECT_EQ(rounds<BalancedSpanningTree>(n_, "cyclic-preorder", PortModel::one()),
            n_ == 3 ? others_ + 2 : others_ + 1);
}

// Table 5: the balanced tree's largest subtree has as many nodes as there are necklaces, less one.
TEST_P(ScatterSizes, all_ports_take_the_largest_subtree) {
  for (const std::uint32_t parts : {1u, 2u, 5u}) {
    for (const char* order : {"descending", "reverse-breadth-first", "postorder", "cyclic"}) {
      EXPECT_EQ(rounds<SpanningBinomialTree>(n_, order, PortModel::all(), 1, parts),
                (others_ + 1) / 2 * parts);
      EXPECT_EQ(rounds<BalancedSpanningTree>(n_, order, PortModel::all(), 1, parts),
                rotation_classes(n_).size() * parts);
    }
  }
}

// Section 4.2.1: N M / B + log(B / M) - 1 start-ups for B = 2^k M, none of which carries more than B.
TEST_P(ScatterSizes, merged_messages_along_the_binomial_tree) {
  for (std::uint32_t k = 0; k < n_; ++k) {
    for (const PortModel ports : single) {
      const auto report =
          checked_scatter<SpanningBinomialTree>(n_, "postorder", ports, std::uint64_t{1} << k);
      EXPECT_EQ(report.rounds, (std::uint64_t{1} << (n_ - k)) + k - 1) << n_ << " " << k;
      EXPECT_LE(*std::max_element(report.link_load.begin(), report.link_load.end()), 1u << k);
    }
  }
}

// Table 6: log N start-ups and N - 1 blocks in sequence.
TEST_P(ScatterSizes, unbounded_messages_halve_the_binomial_tree) {
  for (const PortModel ports : single) {
    const auto report = checked_scatter<SpanningBinomialTree>(n_, "postorder", ports, unbounded);
    EXPECT_TRUE(report.optimal && report.claims_hold);
    EXPECT_EQ(report.rounds, n_);
    EXPECT_EQ(transfer(report), others_);
  }
}

// Table 6, one port: 2 log N - 2 start-ups along both other trees; 2N - 2 log N - 1 blocks in sequence along
// the two-rooted one, at most N (1 + 2 log log N / log N) along the balanced one.
TEST_P(ScatterSizes, unbounded_messages_along_the_other_trees) {
  if (n_ < 2) return;
  const auto two_rooted = checked_scatter<TwoRootedTree>(n_, "postorder", PortModel::one(), unbounded);
  EXPECT_EQ(two_rooted.rounds, 2 * n_ - 2);
  EXPECT_EQ(transfer(two_rooted), 2 * others_ + 1 - 2 * n_);

  const std::uint64_t balanced_transfer[] = {0, 0, 3, 8, 18, 38, 76, 153, 300, 595, 1169};
  const auto balanced =
      checked_scatter<BalancedSpanningTree>(n_, "cyclic-postorder", PortModel::one(), unbounded);
  EXPECT_EQ(balanced.rounds, 2 * n_ - 2);
  EXPECT_EQ(transfer(balanced), balanced_transfer[n_]);
}

// Store and forward of whole subtrees: as many start-ups as levels, and 3N/2 - log N - 1 blocks in sequence along
// the two-rooted tree, for which Table 6 prints 3N/2 - 1.
TEST_P(ScatterSizes, unbounded_messages_over_all_ports) {
  if (n_ < 2) return;
  const auto two_rooted = checked_scatter<TwoRootedTree>(n_, "postorder", PortModel::all(), unbounded);
  EXPECT_EQ(two_rooted.rounds, n_);
  EXPECT_EQ(transfer(two_rooted), 3 * (others_ + 1) / 2 - n_ - 1);
  EXPECT_EQ(rounds<BalancedSpanningTree>(n_, "cyclic", PortModel::all(), unbounded), n_);
}

INSTANTIATE_TEST_SUITE_P(TreeScatter, ScatterSizes, testing::Range(1u, 11u));

// The direct schedule of binomial_scatter is this one for the descending order.
TEST(TreeScatter, equals_the_direct_binomial_scatter) {
  for (std::uint32_t n = 1; n <= 8; ++n) {
    const Network cube = network::hypercube(n);
    const Node root = cube.order() - 1;
    const RootedTree tree(cube, root, child_ports(SpanningBinomialTree(n), root));
    const schedule::Schedule general =
        tree_scatter(cube, tree, {1, PortModel::one(), parse_root_order("descending"), 1});
    const schedule::Schedule direct = binomial_scatter(n, root, 1, PortModel::one());
    const auto in_order = [](std::span<const schedule::Hop> hops) {
      std::vector<schedule::Hop> sorted(hops.begin(), hops.end());
      std::sort(sorted.begin(), sorted.end(),
                [](const auto& a, const auto& b) { return a.packet < b.packet; });
      return sorted;
    };
    ASSERT_EQ(general.round_count(), direct.round_count());
    for (std::uint64_t t = 0; t < general.round_count(); ++t) {
      EXPECT_EQ(in_order(general.stages[0].rounds.round(t)), in_order(direct.stages[0].rounds.round(t)));
    }
  }
}

// Any tree of any network: here every node hangs below its first neighbour nearer to the root.
TEST(TreeScatter, works_on_every_network_order_port_model_and_merge) {
  for (const char* name : {"ring:7", "torus:3x5", "hexmesh:3", "complete:6", "circulant:13:1,5", "torus:1"}) {
    const Network net = network::parse(name);
    const Node root = net.order() - 1;
    const auto first_step = [&](Node node) {
      Port port = 0;
      while (net.distance(root, net.neighbour(node, port)) >= net.distance(root, node)) ++port;
      return port;
    };
    const RootedTree tree(net, root, [&](Node node) {
      std::vector<Port> result;
      for (Port port = 0; port < net.degree(); ++port) {
        const Node child = net.neighbour(node, port);
        if (child != root && first_step(child) == net.opposite(port)) result.push_back(port);
      }
      return result;
    });
    std::vector<PortModel> models{PortModel::all(), PortModel::one(), PortModel::half()};
    if (net.degree() >= 2) models.push_back(PortModel::ports(2));
    for (const PortModel ports : models) {
      for (const char* order : {"descending", "postorder", "cyclic", "cyclic-preorder"}) {
        for (const std::uint64_t merge : {std::uint64_t{1}, std::uint64_t{3}, unbounded}) {
          schedule::Plan plan{net,
                              {},
                              schedule::parse_task("scatter", net, root, 2),
                              tree_scatter(net, tree, {2, ports, parse_root_order(order), merge}),
                              {},
                              {}};
          EXPECT_TRUE(verify::verify(plan).valid) << name << " " << to_string(ports) << " " << order;
        }
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
