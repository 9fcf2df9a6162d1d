// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on graphs without any symmetry, given by their edges: valid, on real buffers, never below the bound; and changed
// plans are rejected.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/node_places.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/time_bound.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using network::Edge;
using network::Node;
using testing::HasSubstr;
using testing::ThrowsMessage;

Problem problem_on_graph(const network::NamedNetwork& named, std::string_view collective,
                         std::string_view ports) {
  return {.network = named.network,
          .failed = named.lacks,
          .task = schedule::parse_task(collective, named.network),
          .ports = schedule::parse_port_model(ports, named.network.degree())};
}

network::NamedNetwork petersen() {
  std::vector<Edge> edges;
  for (Node i = 0; i < 5; ++i) {
    edges.push_back({i, (i + 1) % 5});
    edges.push_back({i, i + 5});
    edges.push_back({i + 5, (i + 2) % 5 + 5});
  }
  return network::from_edges(10, edges);
}

// A random tree and a few edges more.
network::NamedNetwork random_graph() {
  const auto order = *rc::gen::inRange<Node>(2, 14);
  std::set<Edge> edges;
  for (Node high = 1; high < order; ++high) edges.insert({*rc::gen::inRange<Node>(0, high), high});
  const auto more = *rc::gen::inRange(0, 12);
  for (int i = 0; i < more; ++i) {
    const auto low = *rc::gen::inRange<Node>(0, order - 1);
    edges.insert({low, *rc::gen::inRange<Node>(low + 1, order)});
  }
  return network::from_edges(order, {edges.begin(), edges.end()});
}

TEST(AnyGraph, has_plans_for_every_collective) {
  EXPECT_TRUE(rc::check("random graphs", [] {
    const network::NamedNetwork graph = random_graph();
    const auto* collective =
        *rc::gen::element("broadcast", "reduce", "scatter", "gather", "allgather", "alltoall",
                          "reduce-scatter", "allreduce", "barrier", "scan", "exscan");
    const auto* ports = *rc::gen::element("all", "one", "half");
    const schedule::Plan plan = make_plan(problem_on_graph(graph, collective, ports));
    const verify::Report report = verify::verify(plan);
    RC_ASSERT(fault_of(report) == "");
    RC_ASSERT(report.rounds >= report.bound.value);
    RC_ASSERT(local::run(plan, {.block_bytes = 24, .threads = 2}).correct);
  }));
}

// Latencies of some links.
std::vector<network::EdgeTimes> random_latencies(const network::NamedNetwork& graph) {
  std::vector<network::EdgeTimes> result;
  for (Node low = 0; low + 1 < graph.network.order(); ++low) {
    for (Node high = low + 1; high < graph.network.order(); ++high) {
      const bool has_edge = graph.lacks.edges.empty()
                                ? graph.network.distance(low, high) == 1
                                : std::ranges::binary_search(graph.lacks.edges, Edge{low, high});
      if (has_edge && *rc::gen::arbitrary<bool>())
        result.push_back({{low, high}, *rc::gen::element(5e-7, 8e-6)});
    }
  }
  return result;
}

TEST(AnyGraph, may_have_several_ranks_a_node) {
  EXPECT_TRUE(rc::check("random graphs, 2 or 3 ranks a node", [] {
    network::NamedNetwork graph = random_graph();
    graph.lacks.edge_times = random_latencies(graph);
    const auto ranks = *rc::gen::inRange<std::uint32_t>(2, 4);
    const network::NamedNetwork places = network::network_of_places(graph, ranks);
    const cost::Machine links{.startup_s = 2e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};
    const cost::Machine machine = cost::machine_of_places(links, {1e-6, 2e-10}, ranks, places);
    const auto* collective = *rc::gen::element("broadcast", "reduce", "scatter", "gather", "allgather",
                                               "alltoall", "reduce-scatter", "allreduce", "barrier");
    const Problem problem = problem_on_graph(places, collective, "all");
    const std::uint64_t bytes = *rc::gen::element<std::uint64_t>(8, 10000);
    const Choice choice = choose_for(problem, bytes, machine);
    RC_ASSERT(fault_of(verify::verify(make_plan(choice.best()))) == "");
    RC_ASSERT(TimeBounds(problem, machine).at(bytes).seconds <=
              choice.best().prediction.seconds * (1 + 1e-9));
  }));
}

TEST(AnyGraph, has_leaders_and_stripes_of_its_nodes) {
  const network::NamedNetwork places = network::network_of_places(petersen(), 3);
  const cost::Machine links{.startup_s = 2e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};
  const cost::Machine machine = cost::machine_of_places(links, {1e-6, 2e-10}, 3, places);
  for (const std::string algorithm : {"leader-broadcast", "striped-broadcast"}) {
    Problem problem = problem_on_graph(places, "broadcast", "all");
    problem.task.root = 7;
    const Preferences preferences{.algorithm = algorithm};
    const Choice choice = choose_for(problem, 60000, machine, preferences);
    EXPECT_EQ(fault_of(verify::verify(make_plan(choice.best()))), "") << algorithm;
    problem.failed.edges.erase(problem.failed.edges.begin());
    EXPECT_THAT([&] { choose_for(problem, 60000, machine, preferences); },
                ThrowsMessage<Error>(HasSubstr("lanes that are alike")))
        << algorithm;
  }
}

TEST(AnyGraph, is_planned_at_the_bound_if_it_is_petersens) {
  for (const char* collective :
       {"broadcast", "reduce", "scatter", "gather", "allgather", "alltoall", "reduce-scatter", "allreduce"}) {
    const verify::Report report = verify::verify(make_plan(problem_on_graph(petersen(), collective, "all")));
    EXPECT_EQ(fault_of(report), "") << collective;
    EXPECT_EQ(report.rounds, report.bound.value) << collective;
  }
}

TEST(AnyGraph, loses_its_plan_with_an_edge) {
  const schedule::Plan plan = make_plan(problem_on_graph(petersen(), "alltoall", "all"));
  for (std::size_t i = 0; i < plan.failed.edges.size(); ++i) {
    schedule::Plan damaged = plan;
    damaged.failed.edges.erase(damaged.failed.edges.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(verify::verify(damaged).valid);
  }
  schedule::Plan wrong = plan;
  std::swap(wrong.failed.edges[0], wrong.failed.edges[1]);
  EXPECT_THAT(fault_of(verify::verify(wrong)), HasSubstr("ascending"));
  wrong.failed.edges = {{3, 30}};
  EXPECT_FALSE(verify::verify(wrong).valid);
}

TEST(AnyGraph, has_no_neighbourhood_of_a_cayley_graph) {
  EXPECT_THAT([] { make_plan(problem_on_graph(petersen(), "neighborhood:1:1", "all")); },
              ThrowsMessage<Error>(HasSubstr("all links of a Cayley graph")));
}

TEST(AnyGraph, may_lose_nodes_and_links) {
  Problem problem = problem_on_graph(petersen(), "allgather", "all");
  problem.failed.nodes = {4};
  problem.failed.links = {network::links_of(problem.network, {{0, 5}}).front()};
  const verify::Report report = verify::verify(make_plan(problem));
  EXPECT_EQ(fault_of(report), "");
  EXPECT_EQ(report.rounds, report.bound.value);
}

// 36 million packets are not listed to find that they are too many.
TEST(AnyGraph, says_at_once_what_is_too_large) {
  std::vector<Edge> edges;
  for (Node node = 0; node + 1 < 6000; ++node) edges.push_back({node, node + 1});
  edges.push_back({2, 5000});
  const auto [network, lacks] = network::from_edges(6000, edges);
  const Problem problem{
      .network = network, .failed = lacks, .task = {.collective = schedule::Collective::alltoall}};
  EXPECT_THAT([&] { choose(problem); },
              ThrowsMessage<Error>(
                  HasSubstr("surviving-total-exchange: it lists the routes of up to 33554432 packets, "
                            "and there are 36000000: give fewer parts or a smaller network")));
}

}  // namespace
}  // namespace isotrope::planner
