// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The complexities of Ho and Johnsson 1986, Table 3, found by following every message. A message takes 3
// seconds, so that sums are exact and equal means equal.
#include <bit>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using algorithm::HamiltonianPath;
using algorithm::SpanningBinomialTree;
using algorithm::TwoRootedTree;
using schedule::Plan;
using schedule::PortModel;

constexpr double message_s = 3;
constexpr std::uint64_t packet_bytes = 12;

Machine timed_machine(PortModel ports, double overlap = 0) {
  return {.startup_s = 1.5, .byte_time_s = 0.125, .ports = ports, .overlap = overlap};
}

template <class Tree>
Plan tree_plan(std::uint32_t n, std::uint32_t packets, PortModel ports) {
  const auto cube = network::hypercube(n);
  const network::Node root = cube.order() / 3;
  const auto children = [&](network::Node node) {
    std::vector<Port> result;
    for (network::Node child : Tree(n).children(node, root)) {
      result.push_back(static_cast<Port>(std::countr_zero(node ^ child)));
    }
    return result;
  };
  return checked_plan(cube, "broadcast", root, packets,
                      algorithm::tree_broadcast(cube, root, packets, ports, children));
}

Plan msbt_plan(std::uint32_t n, std::uint32_t packets, PortModel ports) {
  return checked_plan(network::hypercube(n), "broadcast", 1, packets,
                      algorithm::msbt_broadcast(n, 1, packets, ports));
}

Plan capped_plan(std::uint32_t n, std::uint32_t packets, PortModel ports) {
  return checked_plan(network::hypercube(n), "broadcast", 1, packets,
                      algorithm::capped_msbt_broadcast(n, 1, packets, ports));
}

// Completion in messages, which for equal packets is in rounds.
double messages_of(const Plan& plan, double overlap = 0) {
  const Machine machine = timed_machine(plan.schedule.ports, overlap);
  const Workload workload{packet_bytes * plan.task.parts, packet_bytes};
  return complete(plan, machine, workload).completion_s / message_s;
}

class BroadcastTimes : public testing::TestWithParam<std::uint32_t> {};

// Following the messages saves nothing on any of these schedules, for any number of packets: the last one to
// arrive ends a chain of messages without a pause.
TEST_P(BroadcastTimes, are_the_complexities_of_the_paper) {
  const std::uint32_t n = GetParam();
  const double nodes = 1u << n;
  for (std::uint32_t p : {1u, 2u, 3u, n, n + 1, 2 * n + 1, 3 * n + 2}) {
    EXPECT_EQ(messages_of(tree_plan<HamiltonianPath>(n, p, PortModel::half())), 2 * p + nodes - 3);
    EXPECT_EQ(messages_of(tree_plan<HamiltonianPath>(n, p, PortModel::one())), p + nodes - 2);
    EXPECT_EQ(messages_of(tree_plan<HamiltonianPath>(n, p, PortModel::all())), p + nodes - 2);
    EXPECT_EQ(messages_of(tree_plan<SpanningBinomialTree>(n, p, PortModel::half())), n * p);
    EXPECT_EQ(messages_of(tree_plan<SpanningBinomialTree>(n, p, PortModel::one())), n * p);
    EXPECT_EQ(messages_of(tree_plan<SpanningBinomialTree>(n, p, PortModel::all())), p + n - 1);
    EXPECT_EQ(messages_of(tree_plan<TwoRootedTree>(n, p, PortModel::half())),
              n == 2 ? 2 * p : 3 * p + 2 * n - 5);
    EXPECT_EQ(messages_of(tree_plan<TwoRootedTree>(n, p, PortModel::one())), 2 * (p + n - 2));
    EXPECT_EQ(messages_of(tree_plan<TwoRootedTree>(n, p, PortModel::all())), p + n - 1);
    EXPECT_EQ(messages_of(msbt_plan(n, p, PortModel::half())), 2 * p + n - 1);
    EXPECT_EQ(messages_of(msbt_plan(n, p, PortModel::one())), p + n);
    EXPECT_EQ(messages_of(msbt_plan(n, p, PortModel::all())), (p + n - 1) / n + n);
    EXPECT_EQ(messages_of(capped_plan(n, p, PortModel::half())), 2 * p + n - 2);
    EXPECT_EQ(messages_of(capped_plan(n, p, PortModel::one())), p + n - 1);
  }
}

// A schedule for one port, followed on all of them, is the schedule for all ports.
TEST_P(BroadcastTimes, shrink_on_machines_that_do_more_at_once_than_the_plan) {
  const std::uint32_t n = GetParam();
  for (std::uint32_t p : {1u, n, 2 * n + 1}) {
    const Plan plan = tree_plan<SpanningBinomialTree>(n, p, PortModel::one());
    const Workload workload{packet_bytes * p, packet_bytes};
    const double time = complete(plan, timed_machine(PortModel::all()), workload).completion_s;
    EXPECT_EQ(time / message_s, p + n - 1);  // what a schedule for all ports takes
  }
}

TEST_P(BroadcastTimes, never_grow_with_the_overlap) {
  const std::uint32_t n = GetParam();
  for (std::uint32_t p : {1u, n + 1}) {
    for (PortModel ports : {PortModel::half(), PortModel::one()}) {
      for (const Plan& plan :
           {tree_plan<HamiltonianPath>(n, p, ports), tree_plan<SpanningBinomialTree>(n, p, ports),
            tree_plan<TwoRootedTree>(n, p, ports), msbt_plan(n, p, ports), capped_plan(n, p, ports)}) {
        double before = messages_of(plan, 0);
        for (double overlap : {0.125, 0.25, 0.5, 0.75, 1.0}) {
          const double now = messages_of(plan, overlap);
          EXPECT_LE(now, before) << n << " " << p << " " << to_string(ports) << " " << overlap;
          before = now;
        }
      }
    }
  }
}

// The root sends every packet over its n ports in turn, (1 - w) after each other; the last packet then takes
// n messages, each of which waits for the one before.
TEST_P(BroadcastTimes, along_the_binomial_tree_shrink_by_the_overlap) {
  const std::uint32_t n = GetParam();
  for (std::uint32_t p : {1u, 2u, n + 1}) {
    const Plan plan = tree_plan<SpanningBinomialTree>(n, p, PortModel::one());
    for (double w : {0.125, 0.25, 0.5})
      EXPECT_EQ(messages_of(plan, w), (1 - w) * n * (p - 1) + n) << n << " " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, BroadcastTimes, testing::Range(2u, 7u));

}  // namespace
}  // namespace isotrope::cost
