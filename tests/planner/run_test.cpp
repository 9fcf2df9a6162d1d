// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the catalogue plans, executed on real buffers with every byte checked.
#include "isotrope/local/run.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

local::Result executed(const Request& wanted) {
  return local::run(make_plan(wanted), {.block_bytes = 67, .threads = 2});
}

Request request(const Algorithm& algorithm, std::uint32_t dimension, const char* ports, std::uint32_t parts) {
  const Network cube = network::parse("hypercube:" + std::to_string(dimension));
  schedule::Task task{.collective = algorithm.collective, .parts = parts};
  if (schedule::is_rooted(algorithm.collective)) task.root = cube.order() - 1;
  Request result{cube, task, schedule::parse_port_model(ports, dimension), std::string(algorithm.name)};
  if (algorithm.only_merges) result.merge = unbounded;
  if (algorithm.collective == schedule::Collective::neighborhood)
    result.task.nearest = result.task.farthest = 1;
  result.destinations = {{cube.order() - 1, 2}, {1, 3}};
  result.deliveries = {{0, cube.order() - 1, 2}, {1, 0, 3}};
  return result;
}

TEST(CatalogRuns, deliver_every_byte_under_every_port_model) {
  for (const Algorithm& algorithm : catalog()) {
    for (const std::uint32_t d : {1u, 2u, 5u}) {
      for (const char* ports : {"all", "1", "one", "half"}) {
        for (const std::uint32_t parts : {1u, 4u}) {
          const Request wanted = request(algorithm, d, ports, parts);
          if (obstacle(algorithm, wanted)) continue;
          const local::Result result = executed(wanted);
          EXPECT_TRUE(result.correct) << algorithm.name << " " << d << " " << ports << result.first_error;
          EXPECT_GT(result.bytes_checked, 0u);
        }
      }
    }
  }
}

TEST(CatalogRuns, deliver_every_byte_in_every_order_and_merged) {
  for (const Algorithm& algorithm : catalog()) {
    if (!algorithm.takes_order) continue;
    for (const char* order : {"descending", "reverse-breadth-first", "postorder", "preorder", "cyclic"}) {
      for (const std::uint64_t merge : {std::uint64_t{1}, std::uint64_t{4}, unbounded}) {
        Request wanted = request(algorithm, 4, "one", 2);
        wanted.order = algorithm::parse_root_order(order);
        wanted.merge = merge;
        EXPECT_TRUE(executed(wanted).correct) << algorithm.name << " " << order << " " << merge;
      }
    }
  }
}

TEST(CatalogRuns, deliver_every_byte_on_every_network) {
  for (const char* name : {"ring:6", "torus:3x4", "torus:4x4x2", "hexmesh:3", "twisted-torus:2x4",
                           "circulant:13:1,5", "complete:5"}) {
    const Network network = network::parse(name);
    for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                   "allreduce", "alltoall", "neighborhood:1:2"}) {
      for (const char* ports : {"all", "one"}) {
        const local::Result result = executed({network, schedule::parse_task(collective, network, 0, 2),
                                               schedule::parse_port_model(ports, network.degree())});
        EXPECT_TRUE(result.correct) << name << " " << collective << ": " << result.first_error;
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::planner
