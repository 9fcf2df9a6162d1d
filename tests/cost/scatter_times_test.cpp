// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Personalized communication on a machine with one action at a time and overlap w: Ho and Johnsson 1986,
// Section 5.2, where the balanced tree beats the binomial one although both take N - 1 rounds.
#include <algorithm>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/cost/completion.hpp"

#include "isotrope/algorithm/scatter/binomial_scatter.hpp"
#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"

#include "tests/algorithm/tree_properties.hpp"
#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using algorithm::BalancedSpanningTree;
using schedule::Flow;
using schedule::Hop;
using schedule::Plan;
using schedule::PortModel;

// The root sends into its subtrees in turn, the farthest nodes of each first.
std::vector<Node> cyclic_order(std::uint32_t n) {
  std::vector<std::vector<Node>> subtrees(n);
  for (Node node = 1; node < Node{1} << n; ++node)
    subtrees[BalancedSpanningTree(n).base(node)].push_back(node);
  std::vector<Node> order;
  for (std::size_t turn = 0; turn < subtrees[0].size(); ++turn) {
    for (auto& subtree : subtrees) {
      std::ranges::stable_sort(subtree, std::greater(), [](Node node) { return std::popcount(node); });
      if (turn < subtree.size()) order.push_back(subtree[turn]);
    }
  }
  return order;
}

std::vector<Node> path_to(Node node, const std::vector<Node>& parents) {
  std::vector<Node> path;
  for (Node at = node; at != 0; at = parents[at]) path.insert(path.begin(), at);
  return path;
}

// A packet a round, which never waits on its way.
Plan balanced_plan(std::uint32_t n) {
  const std::vector<Node> order = cyclic_order(n);
  const std::vector<Node> parents = algorithm::all_parents(BalancedSpanningTree(n), n, 0);
  std::vector<std::vector<Hop>> rounds(order.size());
  for (std::size_t leave = 0; leave < order.size(); ++leave) {
    Node at = 0;
    std::size_t round = leave;
    for (Node next : path_to(order[leave], parents)) {
      rounds[round++].push_back({order[leave], at, static_cast<Port>(std::countr_zero(at ^ next))});
      at = next;
    }
  }
  return checked_plan(network::hypercube(n), "scatter", 0, 1,
                      schedule_of(PortModel::half(), Flow::move, rounds));
}

Plan binomial_plan(std::uint32_t n) {
  return checked_plan(network::hypercube(n), "scatter", 0, 1,
                      algorithm::binomial_scatter(n, 0, 1, PortModel::half()));
}

double scatter_messages(const Plan& plan, double overlap) {
  return complete(plan, {.ports = PortModel::half(), .overlap = overlap}, {}).completion_s;
}

TEST(ScatterTimes, are_a_message_a_node_without_overlap) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    EXPECT_EQ(scatter_messages(balanced_plan(n), 0), (1 << n) - 1);
    EXPECT_EQ(scatter_messages(binomial_plan(n), 0), (1 << n) - 1);
  }
}

// Every other packet goes to node 1. The root could send it one every 2 (1 - w), but node 1 must have the one
// before (1) and hold its slot for sending that on (1 - w): 2 - w, N / 2 - 1 times before the last.
TEST(ScatterTimes, along_the_binomial_tree_wait_for_its_largest_subtree) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    const double pairs = (1 << (n - 1)) - 1;
    for (double w : {0.125, 0.25, 0.5})
      EXPECT_EQ(scatter_messages(binomial_plan(n), w), pairs * (2 - w) + 1) << n;
  }
}

// A subtree has n - 1 other sends to pass a packet on, so the root never waits: (1 - w) a packet. Only for
// even n do two of the last three packets go to the largest subtree, and the last of them waits for w.
TEST(ScatterTimes, along_the_balanced_tree_take_full_advantage_of_the_overlap) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    const double sends = (1 << n) - 2;
    for (double w : {0.125, 0.25}) {
      EXPECT_EQ(scatter_messages(balanced_plan(n), w), sends * (1 - w) + 1 + (n % 2 == 0 ? w : 0)) << n;
    }
  }
}

TEST(ScatterTimes, favour_the_balanced_tree_on_the_machine_of_the_paper) {
  const Workload workload{1024, 1024};
  for (std::uint32_t n = 3; n <= 7; ++n) {
    EXPECT_LT(complete(balanced_plan(n), intel_ipsc(), workload).completion_s,
              complete(binomial_plan(n), intel_ipsc(), workload).completion_s);
  }
}

}  // namespace
}  // namespace isotrope::cost
