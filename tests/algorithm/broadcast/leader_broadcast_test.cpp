// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/leader_broadcast.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::NamedNetwork;
using schedule::PortModel;

constexpr SearchLimits leader_limits{.runs = 10};

// Valid, backwards as well, no node gets a packet twice, and the links between nodes are those of one lane.
void expect_leaders(const NamedNetwork& places, network::Node root, std::uint32_t parts, PortModel ports) {
  const std::string what = std::string(places.network.name()) + " from " + std::to_string(root) + ", " +
                           std::to_string(parts) + " parts, " + to_string(ports);
  const std::uint32_t ranks = places_of_node(places.network);
  const network::Network nodes = lane_of(places.network).network;
  const auto leaders =
      rarest_first_broadcast({nodes, failures_of_nodes(places.network, places.lacks)}, root / ranks, parts,
                             ports_within(ports, nodes.degree()), leader_limits);
  const auto node =
      rarest_first_broadcast({network::complete(ranks), {}}, root % ranks, 1, ports, leader_limits);
  auto schedule = leader_broadcast(places.network, places.lacks, ports_of_links(places.network, nodes), root,
                                   parts, leaders, node);
  schedule.ports = ports;
  EXPECT_EQ(schedule.round_count(), leaders.round_count() + node.round_count()) << what;

  const schedule::Task task{.collective = schedule::Collective::broadcast, .root = root, .parts = parts};
  EXPECT_TRUE(verify::verify({places.network, places.lacks, task, schedule, {}, {}}).valid) << what;
  const std::uint64_t survivors = network::SurvivingNetwork(places.network, places.lacks).nodes().size();
  const auto& rounds = schedule.stages.front().rounds;
  EXPECT_EQ(rounds.hop_count(), (survivors - 1) * parts) << what;
  for (const schedule::Hop& hop : rounds.hops()) {
    const network::Node to = places.network.neighbour(hop.from, hop.port);
    const bool crosses = hop.from / ranks != to / ranks;
    EXPECT_TRUE(!crosses || hop.from % ranks == root % ranks) << what;
  }
  if (places.lacks.any_failed()) return;
  auto backwards = reverse(places.network, task, schedule);
  EXPECT_TRUE(
      verify::verify({places.network, places.lacks, backwards.task, std::move(backwards.schedule), {}, {}})
          .valid)
      << what << " backwards";
}

TEST(LeaderBroadcast, is_valid_on_every_network_with_several_ranks_a_node) {
  for (const char* name : {"ring:2", "line:4", "torus:3x4", "line:3xring:5", "hexmesh:2", "torus:4x4@2,1",
                           "ring:5@3", "ring:1"}) {
    for (const std::uint32_t ranks : {2U, 3U, 5U}) {
      const NamedNetwork places = network::network_of_places(network::parse_named(name), ranks);
      for (const std::uint32_t parts : {1U, 2U, 30U}) {
        for (const PortModel ports : {PortModel::all(), PortModel::one(), PortModel::half()})
          expect_leaders(places, places.network.order() - 2, parts, ports);
      }
    }
  }
}

TEST(LeaderBroadcast, goes_around_failures_of_all_lanes) {
  NamedNetwork nodes = network::parse_named("line:4xring:5");
  nodes.lacks.nodes = {7};
  nodes.lacks.links = network::parse_failed_links("0-1,10-15", nodes.network, nodes.lacks);
  for (const std::uint32_t ranks : {2U, 3U}) {
    for (const std::uint32_t parts : {1U, 20U})
      expect_leaders(network::network_of_places(nodes, ranks), 4, parts, PortModel::all());
  }
}

}  // namespace
}  // namespace isotrope::algorithm
