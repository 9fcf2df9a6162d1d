// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the catalogue plans, executed on real buffers with every byte checked.
#include "isotrope/local/run.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

local::RunResult executed(const schedule::Plan& plan) {
  return local::run(plan, {.block_bytes = 67, .threads = 2});
}

Wanted wanted_of(const Algorithm& algorithm, std::uint32_t dimension, const char* ports,
                 std::uint32_t parts) {
  Wanted result = wanted_on("hypercube:" + std::to_string(dimension), collective_name(algorithm), ports,
                            algorithm.name());
  Problem& problem = result.problem;
  const schedule::Node last = problem.network.order() - 1;
  problem.task.parts = parts;
  if (schedule::is_rooted(problem.task.collective)) problem.task.root = last;
  if (!algorithm.traits().strict) problem.aggregation = unbounded;
  if (problem.task.collective == Collective::isotropic) problem.task.destinations = {{last, 2}, {1, 3}};
  if (problem.task.collective == Collective::task) problem.task.deliveries = {{0, last, 2}, {1, 0, 3}};
  return result;
}

TEST(CatalogRuns, deliver_every_byte_under_every_port_model) {
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().for_machines) continue;
    for (const std::uint32_t d : {1u, 2u, 5u}) {
      if (is_sanitized && d > 2) continue;  // its searches take long
      for (const char* ports : {"all", "1", "one", "half"}) {
        for (const std::uint32_t parts : {1u, 4u}) {
          const Wanted wanted = wanted_of(*algorithm, d, ports, parts);
          if (unsupported_reason(*algorithm, wanted)) continue;
          const local::RunResult result = executed(make_plan(wanted));
          EXPECT_TRUE(result.correct) << algorithm->name() << " " << d << " " << ports << result.first_error;
          EXPECT_GT(result.bytes_checked, 0u);
        }
      }
    }
  }
}

TEST(CatalogRuns, deliver_every_byte_in_every_order_and_aggregated) {
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->traits().takes_order) continue;
    for (const char* order : {"descending", "reverse-breadth-first", "postorder", "preorder", "cyclic"}) {
      for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{4}, unbounded}) {
        Wanted wanted = wanted_of(*algorithm, 4, "one", 2);
        wanted.preferences.order = algorithm::parse_root_order(order);
        wanted.problem.aggregation = limit;
        EXPECT_TRUE(executed(make_plan(wanted)).correct) << algorithm->name() << " " << order << " " << limit;
      }
    }
  }
}

// Those that are chosen for a size on a machine: exchanges of sums, and messages to nodes that are no neighbours.
TEST(CatalogRuns, deliver_every_byte_of_algorithms_for_machines) {
  unsigned plans = 0, trial = 0;
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->traits().for_machines) continue;
    for (const char* name : {"hypercube:3", "torus:4x4", "torus:2x8", "ring:5", "hexmesh:2", "complete:6"}) {
      for (const char* ports : {"all", "one"}) {
        Problem problem = problem_on(name, collective_name(*algorithm), ports);
        if (!algorithm->traits().strict) problem.aggregation = unbounded;
        if (unsupported_reason(*algorithm, problem)) continue;
        for (const Parameters& parameters : algorithm->choices(problem)) {
          if (is_left_out(trial++, 5)) continue;
          const local::RunResult result = executed(make_plan(problem, *algorithm, parameters));
          EXPECT_TRUE(result.correct) << algorithm->name() << " " << name << ": " << result.first_error;
          EXPECT_GT(result.bytes_checked, 0u);
          ++plans;
        }
      }
    }
  }
  EXPECT_GE(plans, 50U);
}

TEST(CatalogRuns, deliver_every_byte_on_every_network) {
  for (const char* name : {"ring:6", "torus:3x4", "torus:4x4x2", "hexmesh:3", "twisted-torus:2x4",
                           "circulant:13:1,5", "complete:5", "torus:4x3@2,1", "hypercube:3@2"}) {
    const Network network = network::parse(name);
    for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                   "allreduce", "alltoall", "neighborhood:1:2"}) {
      for (const char* ports : {"all", "one"}) {
        const local::RunResult result =
            executed(make_plan({.network = network,
                                .task = schedule::parse_task(collective, network, 0, 2),
                                .ports = schedule::parse_port_model(ports, network.degree())}));
        EXPECT_TRUE(result.correct) << name << " " << collective << ": " << result.first_error;
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::planner
