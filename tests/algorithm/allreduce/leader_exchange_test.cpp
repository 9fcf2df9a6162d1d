// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces among leaders of nodes, proved by the checker, from exchanges of all forms.
#include "isotrope/algorithm/allreduce/leader_exchange.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/exchanges.hpp"

#include "isotrope/algorithm/allreduce/shared_subtrees.hpp"
#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/levels/bucket.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "tests/algorithm/levels/level_plans.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Hop;
using schedule::PortModel;
using schedule::Schedule;

constexpr SearchLimits limits{.runs = 10};

struct Among {
  Network joined;
  Schedule schedule;
  std::uint32_t parts;
};

enum class Over { links, overlay };

// Valid, of the rounds that the head claims, and only place s of a node sends parts of stripe s to other nodes.
void expect_valid(const Network& nodes, std::uint32_t ranks, const Among& among, Over over, PortModel ports,
                  std::uint32_t stripes = 1) {
  const Network places = network::network_of_places({nodes, {}}, ranks).network;
  const std::string what = std::string(places.name()) + ", " + to_string(ports);
  const Schedule node =
      rarest_first_broadcast({network::complete(ranks), {}}, 0, 1, ports_within(ports, ranks - 1), limits);
  const LeaderPorts used =
      over == Over::links ? ports_of_links(places, among.joined) : ports_of_overlay(places, among.joined);
  Schedule schedule = leader_exchange(places, used, among.parts, among.schedule, among.joined, node, stripes);
  schedule.ports = ports;
  EXPECT_EQ(schedule.round_count(), among.schedule.round_count() + 2 * node.round_count()) << what;

  schedule::Plan plan =
      plan_of(places, schedule::Collective::allreduce,
              {overlay_of_lanes(places, among.joined), std::move(schedule), stripes * among.parts});
  if (over == Over::links) plan.overlay.reset();
  ASSERT_EQ(first_fault(plan), "") << what;
  const Network& joined = plan.overlay ? *plan.overlay : places;
  for (const Hop& hop : plan.schedule.stages.front().rounds.hops()) {
    const Node to = joined.neighbour(hop.from, hop.port);
    if (hop.from / ranks == to / ranks) continue;
    const std::uint32_t stripe = plan.schedule.stages.front().sums[hop.packet].part / among.parts;
    EXPECT_EQ(hop.from % ranks, stripe) << what;
    EXPECT_EQ(to % ranks, stripe) << what;
  }
}

TEST(LeaderExchange, is_valid_among_replicated_sums) {
  for (const std::uint32_t ranks : {2U, 3U, 6U}) {
    for (const char* name : {"ring:5", "torus:3x4", "hexmesh:2", "torus:4x4@2,1", "hypercube:3"}) {
      const Network nodes = network::parse(name);
      for (const std::uint32_t trees : shared_subtree_counts(nodes)) {
        for (const std::uint32_t stripes : {1U, ranks}) {
          expect_valid(nodes, ranks, {nodes, shared_subtree_allreduce(nodes, trees), trees}, Over::links,
                       PortModel::all(), stripes);
        }
      }
    }
    const Network cube = network::parse("hypercube:3");
    for (const PortModel ports : {PortModel::all(), PortModel::one(), PortModel::ports(2)}) {
      expect_valid(cube, ranks, {cube, schedule::recursive_doubling(ports, {2, 1, 0}), 1}, Over::links,
                   ports);
    }
  }
}

TEST(LeaderExchange, is_valid_among_listed_sums_over_an_overlay) {
  for (const std::uint32_t ranks : {2U, 5U}) {
    for (const char* name : {"ring:7", "torus:4x4", "torus:3x3x2", "ring:16"}) {
      const Network nodes = network::parse(name);
      for (const LevelShape& shape : {LevelShape{.copies = 1}, LevelShape{.divisions = 1, .copies = 2},
                                      LevelShape{.program = LevelShape::Program::one_sided, .copies = 1}}) {
        const auto levels = exchange_by_levels(nodes, torus_levels(*network::split_torus(nodes, {}), shape),
                                               PortModel::all());
        for (const std::uint32_t stripes : {1U, ranks}) {
          expect_valid(nodes, ranks, {levels.overlay, levels.schedule, levels.parts}, Over::overlay,
                       PortModel::all(), stripes);
        }
      }
      const auto tree = binomial_reduce_and_broadcast(nodes, PortModel::one());
      expect_valid(nodes, ranks, {tree.overlay, tree.schedule, tree.parts}, Over::overlay, PortModel::one());
    }
  }
}

TEST(LeaderExchange, goes_over_the_links_of_a_complete_network) {
  for (const Node hosts : {2U, 5U, 8U}) {
    const Network nodes = network::complete(hosts);
    const auto tree = binomial_reduce_and_broadcast(nodes, PortModel::one());
    for (const std::uint32_t ranks : {2U, 4U})
      expect_valid(nodes, ranks, {tree.overlay, tree.schedule, tree.parts}, Over::links, PortModel::one());
  }
}

}  // namespace
}  // namespace isotrope::algorithm
