// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/bandwidth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using schedule::Collective;
using schedule::Flow;
using schedule::parse_task;
using schedule::PortModel;
using schedule::Replication;

Bound bound_of(std::string_view network_name, std::string_view collective, std::string_view ports = "all",
               std::uint64_t parts = 1) {
  const Network network = network::parse(network_name);
  return bandwidth_bound(Problem{.network = network,
                                 .task = parse_task(collective, network, 0, parts),
                                 .ports = schedule::parse_port_model(ports, network.degree())})
      .value();
}

// hypercube:6: 63 others, distances sum to 192. A broadcast of 20 packets cannot enter a node faster than 6
// at a time, whatever the diameter.
TEST(BandwidthBound, of_a_hypercube_by_hand) {
  EXPECT_EQ(bound_of("hypercube:6", "allgather", "all", 6).value, 63U);
  EXPECT_EQ(bound_of("hypercube:6", "allgather", "all", 6).kind, "degree");
  EXPECT_EQ(bound_of("hypercube:6", "reduce-scatter", "one").value, 63U);
  EXPECT_EQ(bound_of("hypercube:6", "scatter").value, 11U);
  EXPECT_EQ(bound_of("hypercube:6", "gather", "2").value, 32U);
  EXPECT_EQ(bound_of("hypercube:6", "alltoall").value, 32U);
  EXPECT_EQ(bound_of("hypercube:6", "alltoall").kind, "distance-sum");
  EXPECT_EQ(bound_of("hypercube:6", "broadcast", "all", 20).value, 4U);
  EXPECT_EQ(bound_of("hypercube:6", "reduce").value, 1U);
  EXPECT_EQ(bound_of("torus:3x4", "alltoall").kind, "port-sum");
  EXPECT_EQ(bound_of("torus:3x4", "alltoall").value, 6U);
}

// Two nodes: each has one of two blocks to send its part of, then one to send the whole of.
TEST(BandwidthBound, of_allreduce_counts_calls) {
  EXPECT_EQ(bound_of("ring:2", "allreduce").value, 2U);
  EXPECT_EQ(bound_of("hypercube:3", "allreduce", "all", 3).value, 14U);
  EXPECT_EQ(bound_of("hypercube:3", "allreduce", "one", 3).value, 42U);
  EXPECT_EQ(bound_of("hypercube:3", "allreduce", "2").value, 7U);
  EXPECT_EQ(bound_of("ring:5", "allreduce", "half").value, 20U);  // 5 * 8 calls, 2 pairs
  EXPECT_EQ(bound_of("torus:4x4", "allreduce").kind, "work");
  EXPECT_EQ(bound_of("torus:4x4", "allreduce").because,
            "the contributions of 16 nodes to 16 packets take 480 transmissions to all nodes, and all nodes "
            "together can send 64 a round: ceil(480 / 64) = 8");
}

// Strict rounds have no less to carry.
TEST(BandwidthBound, is_one_of_the_bounds_on_strict_rounds) {
  for (const char* name : {"ring:7", "torus:4x6", "hexmesh:4", "circulant:13:1,2", "twisted-torus:4x8"}) {
    const Network network = network::parse(name);
    for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                   "alltoall", "neighborhood:1:2"}) {
      for (const PortModel ports :
           {PortModel::all(), PortModel::ports(2), PortModel::one(), PortModel::half()}) {
        Problem problem{.network = network, .task = parse_task(collective, network, 0, 3), .ports = ports};
        const auto bounds = lower_bounds(problem);
        const auto bound = bandwidth_bound(problem);
        ASSERT_TRUE(bound.has_value());
        EXPECT_THAT(bounds, testing::Contains(*bound)) << name << " " << collective;
        EXPECT_LE(bound->value, bounds.front().value);
        problem.aggregation = schedule::unbounded;
        EXPECT_EQ(bandwidth_bound(problem), bound);
      }
    }
  }
}

TEST(BandwidthBound, of_a_single_node_is_zero) {
  EXPECT_EQ(bound_of("ring:1", "alltoall").value, 0U);
  EXPECT_EQ(bound_of("ring:1", "allreduce").value, 0U);
}

TEST(BandwidthBound, is_unknown_where_packets_are) {
  const Network network = network::parse("ring:5");
  for (const Collective collective : {Collective::isotropic, Collective::task, Collective::barrier})
    EXPECT_EQ(bandwidth_bound(Problem{.network = network, .task = {.collective = collective}}), std::nullopt);
}

// A plan tells whether every node has a block, and what has failed.
TEST(BandwidthBound, of_a_plan) {
  Plan plan{network::parse("ring:5"), {}, {.collective = Collective::allreduce}, {}, {}, {}};
  plan.schedule.stages = {{Flow::reduce, Replication::all(), {}, {}},
                          {Flow::copy, Replication::all(), {}, {}}};
  ASSERT_TRUE(bandwidth_bound(plan).has_value());
  EXPECT_EQ(bandwidth_bound(plan)->value, 4U);
  plan.schedule.stages[0].replication = Replication::none();  // a single block
  EXPECT_EQ(bandwidth_bound(plan)->value, 1U);
  plan.task.collective = Collective::allgather;
  EXPECT_EQ(bandwidth_bound(plan)->value, 2U);
  plan.failed.nodes = {3};
  EXPECT_EQ(bandwidth_bound(plan), std::nullopt);
}

}  // namespace
}  // namespace isotrope::bound
