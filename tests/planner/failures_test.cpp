// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans around failures: every one verified on the damaged network, or refused with the names of who is cut
// off.
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "isotrope/local/run.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using network::Failures;
using network::Node;
using network::Port;
using schedule::Collective;
using testing::HasSubstr;

Problem around(const Network& network, const Failures& failed, const char* collective, Node root = 0,
               std::uint64_t parts = 1, const char* ports = "all") {
  return {.network = network,
          .failed = failed,
          .task = schedule::parse_task(collective, network, root, parts),
          .ports = schedule::parse_port_model(ports, network.degree())};
}

// The nodes that cannot be reached, found by marking neighbours until nothing changes.
std::set<Node> cut_off(const Network& network, const Failures& failed, Node root) {
  const auto dead = [&](Node node) {
    return std::find(failed.nodes.begin(), failed.nodes.end(), node) != failed.nodes.end();
  };
  const auto broken = [&](Node node, Port port) {
    const schedule::Link link{node, port}, back{network.neighbour(node, port), network.opposite(port)};
    return std::find(failed.links.begin(), failed.links.end(), link) != failed.links.end() ||
           std::find(failed.links.begin(), failed.links.end(), back) != failed.links.end();
  };
  std::set<Node> reached{root};
  for (bool grown = true; grown;) {
    grown = false;
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree() && !dead(node); ++port) {
        if (reached.contains(network.neighbour(node, port)) && !broken(node, port))
          grown |= reached.insert(node).second;
      }
    }
  }
  std::set<Node> lost;
  for (Node node = 0; node < network.order(); ++node) {
    if (!dead(node) && !reached.contains(node)) lost.insert(node);
  }
  return lost;
}

// Every packet goes at once along a shortest path.
TEST(PlansAroundFailures, with_merged_messages_take_as_many_rounds_as_the_farthest_nodes_are_apart) {
  const std::pair<const char*, Failures> damaged[] = {{"torus:4x4", {{3}, {}}},
                                                      {"hexmesh:3", {{1, 5}, {}}},
                                                      {"hypercube:4", {{}, {{0, 0}}}},
                                                      {"mesh:3x5", {}},
                                                      {"line:4xring:5", {{}, {{3, 0}}}}};
  for (auto [name, failed] : damaged) {
    const auto [network, lacks] = network::parse_named(name);
    failed.open_axes = lacks.open_axes;
    for (const char* collective : {"alltoall", "scatter", "gather", "allgather", "reduce-scatter",
                                   "broadcast", "reduce", "allreduce", "barrier", "scan", "exscan"}) {
      Problem problem = around(network, failed, collective, 0, 3);
      problem.aggregation = schedule::unbounded;
      schedule::Plan plan = make_plan(problem);
      const verify::Report report = certify(plan);
      EXPECT_TRUE(report.valid && report.claims_hold) << collective << " on " << name;
      EXPECT_LE(report.rounds, report.bound.value) << collective << " on " << name;
      EXPECT_TRUE(local::run(plan, {.block_bytes = 60, .threads = 2}).correct)
          << collective << " on " << name;
    }
  }
}

TEST(PlansAroundFailures, of_broadcasts_merge_some_packets) {
  const Network torus = network::parse("torus:4x4");
  for (const std::uint64_t most : {2U, 3U, 7U}) {
    Problem problem = around(torus, {{3}, {}}, "broadcast", 0, 7);
    problem.aggregation = most;
    schedule::Plan plan = make_plan(problem, {.algorithm = "surviving-tree-broadcast"});
    const verify::Report report = certify(plan);
    EXPECT_TRUE(report.valid && report.claims_hold) << most;
    EXPECT_EQ(report.rounds, 4 + (7 + most - 1) / most - 1);
  }
}

void expect_planned(const Problem& problem) {
  schedule::Plan plan = make_plan(problem);
  EXPECT_EQ(plan.failed, problem.failed);
  const verify::Report report = certify(plan);
  EXPECT_TRUE(report.valid && report.claims_hold)
      << to_string(problem.task) << " on " << problem.network.name() << ": "
      << (report.violations.empty() ? "" : report.violations.front().message);
  EXPECT_GE(report.rounds, report.bound.value) << problem.network.name();
  // All ports, one part: a tree of shortest paths is as fast as any.
  if (problem.task.collective == Collective::broadcast && problem.task.parts == 1 &&
      problem.ports.kind == schedule::PortModel::Kind::all_port) {
    EXPECT_TRUE(report.optimal) << problem.network.name();
  }
}

// Plans, or is refused for exactly the nodes that are cut off.
void expect_planned_or_named(const Problem& problem) {
  const std::set<Node> lost = cut_off(problem.network, problem.failed, problem.task.root);
  if (lost.empty()) return expect_planned(problem);
  try {
    make_plan(problem);
    ADD_FAILURE() << "planned although nodes are cut off";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(*lost.begin())));
    EXPECT_THAT(error.what(), HasSubstr("cut"));
  }
}

Failures random_failures(const Network& network, std::size_t count, std::mt19937& random, Node spared) {
  Failures failed;
  std::set<Node> nodes;
  std::set<std::pair<Node, Node>> links;
  while (nodes.size() + links.size() < count) {
    const Node node = static_cast<Node>(random() % network.order());
    const Port port = static_cast<Port>(random() % (network.degree() + 1));
    if (port == network.degree()) {
      if (node != spared && nodes.insert(node).second) failed.nodes.push_back(node);
    } else {
      const Node other = network.neighbour(node, port);
      if (links.insert(std::minmax(node, other)).second) failed.links.push_back({node, port});
    }
  }
  return failed;
}

class AroundFailures : public testing::TestWithParam<const char*> {};

TEST_P(AroundFailures, every_single_failure_is_survived) {
  const Network network = network::parse(GetParam());
  for (Node node = 1; node < network.order(); ++node) {
    expect_planned_or_named(around(network, {{node}, {}}, "broadcast"));
  }
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      if (node < network.neighbour(node, port))
        expect_planned_or_named(around(network, {{}, {{node, port}}}, "broadcast"));
    }
  }
  expect_planned_or_named(around(network, {{network.order() - 1}, {}}, "allgather"));
  expect_planned_or_named(around(network, {{}, {{0, 0}}}, "allgather"));
}

// Fewer failures than the connectivity never separate survivors; as many may.
TEST_P(AroundFailures, as_many_as_promised_are_survived) {
  const Network network = network::parse(GetParam());
  const std::size_t connectivity = graph::node_connectivity(network);
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    const Node root = static_cast<Node>(random() % network.order());
    const Failures few = random_failures(network, 1 + random() % (connectivity - 1), random, root);
    ASSERT_TRUE(cut_off(network, few, root).empty());
    expect_planned(around(network, few, "broadcast", root));
    if (i % 10 == 0) expect_planned(around(network, few, "allgather"));
    const Failures many = random_failures(network, connectivity + random() % 4, random, root);
    expect_planned_or_named(around(network, many, "broadcast", root));
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, AroundFailures,
                         testing::Values("hexmesh:2", "hexmesh:3", "hexmesh:4", "hypercube:3", "hypercube:4",
                                         "hypercube:5", "torus:4x4", "torus:3x5", "torus:3x3x3", "ring:6",
                                         "circulant:13:1,5", "complete:6"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

// Every collective, port model and number of parts on one damaged mesh; bytes really move.
TEST(PlansAroundFailures, every_collective_is_planned_and_runs) {
  const Network network = network::parse("hexmesh:3");
  const Failures failed{{5, 12}, {{0, 0}, {3, 2}}};
  for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                 "allreduce", "barrier", "alltoall", "neighborhood:1:2"}) {
    for (const char* ports : {"all", "2", "one", "half"}) {
      for (const std::uint64_t parts : {1u, 3u}) {
        const Problem problem = around(network, failed, collective, 0, parts, ports);
        expect_planned(problem);
        const local::RunResult result = local::run(make_plan(problem), {.block_bytes = 60, .threads = 2});
        EXPECT_TRUE(result.correct) << collective << ' ' << ports << ": " << result.first_error;
      }
    }
  }
}

TEST(PlansAroundFailures, listed_tasks_are_planned) {
  const Network network = network::parse("torus:4x4");
  Problem isotropic = around(network, {{5}, {}}, "isotropic");
  isotropic.task.destinations = {{1, 2}, {5, 1}, {10, 1}};
  expect_planned(isotropic);
  Problem task = around(network, {{5}, {}}, "task");
  task.task.deliveries = {{0, 15, 2}, {1, 9, 1}};
  expect_planned(task);
  task.task.deliveries.push_back({1, 5, 1});
  EXPECT_THROW(make_plan(task), Error);
}

// With the two links at node 0 that lead one way lost, the other two carry everything.
TEST(PlansAroundFailures, the_degraded_bound_counts_what_is_left) {
  const Network network = network::parse("torus:4x4");
  const Failures failed{{}, {{0, 0}, {0, 1}}};
  schedule::Plan plan = make_plan(around(network, failed, "allgather"));
  EXPECT_EQ(plan.bound.value, 8u);  // ceil(15 / 2)
  EXPECT_EQ(plan.bound.kind, "degree");
  const verify::Report report = certify(plan);
  EXPECT_TRUE(report.optimal) << report.rounds;
}

struct Refusal {
  Failures failed;
  const char* reason;
};

TEST(PlansAroundFailures, what_cannot_be_survived_is_refused) {
  const Network network = network::parse("ring:6");
  for (const auto& [failed, reason] : {Refusal{{{0}, {}}, "the root, node 0, has failed"},
                                       Refusal{{{2, 5}, {}}, "cut nodes 3,4 off from node 0"},
                                       Refusal{{{}, {{1, 0}, {2, 0}}}, "cut node 2 off from node 0"},
                                       Refusal{{{6}, {}}, "the nodes of ring:6 are 0..5"}}) {
    try {
      make_plan(around(network, failed, "broadcast"));
      ADD_FAILURE() << reason;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
  Problem aggregated = around(network, {{3}, {}}, "scatter", 0, 1, "half");
  aggregated.aggregation = unbounded;
  EXPECT_THROW(make_plan(aggregated), Error);
}

}  // namespace
}  // namespace isotrope::planner
