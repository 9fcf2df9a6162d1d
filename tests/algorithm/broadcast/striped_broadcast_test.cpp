// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/striped_broadcast.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::NamedNetwork;
using testing::HasSubstr;

constexpr SearchLimits stripe_limits{.runs = 10};

schedule::Task broadcast_from(network::Node root, std::uint32_t parts) {
  return {.collective = schedule::Collective::broadcast, .root = root, .parts = parts};
}

// Valid, backwards as well, and no node gets a packet twice.
schedule::Schedule expect_stripes(const NamedNetwork& places, network::Node root, std::uint32_t parts) {
  const std::string what(places.network.name());
  EXPECT_FALSE(lacks_lanes(places.network, places.lacks)) << what;
  schedule::Schedule schedule = striped_broadcast(places.network, places.lacks, root, parts, stripe_limits);
  const schedule::Task task = broadcast_from(root, parts);
  EXPECT_TRUE(verify::verify({places.network, places.lacks, task, schedule, {}, {}}).valid)
      << what << " from " << root << ", " << parts << " parts";
  const std::uint64_t nodes = network::SurvivingNetwork(places.network, places.lacks).nodes().size();
  EXPECT_EQ(schedule.stages.front().rounds.hop_count(), (nodes - 1) * parts) << what;
  if (!places.lacks.any_failed()) {
    auto backwards = reverse(places.network, task, schedule);
    EXPECT_TRUE(
        verify::verify({places.network, places.lacks, backwards.task, std::move(backwards.schedule), {}, {}})
            .valid)
        << what << " backwards";
  }
  return schedule;
}

TEST(StripedBroadcast, is_valid_on_every_network_with_several_ranks_a_node) {
  for (const char* name : {"ring:2", "ring:5", "line:4", "torus:3x4", "line:3xring:5", "hypercube:3",
                           "hexmesh:2", "complete:4", "torus:4x4@2,1", "ring:1"}) {
    for (const std::uint32_t ranks : {2U, 3U, 4U}) {
      const NamedNetwork places = network::network_of_places(network::parse_named(name), ranks);
      for (const std::uint32_t parts : {1U, 2U, 7U, 40U}) {
        expect_stripes(places, 0, parts);
        expect_stripes(places, places.network.order() - 2, parts);
      }
    }
  }
}

TEST(StripedBroadcast, is_valid_where_links_within_nodes_are_faster) {
  for (const char* name : {"torus:3x4xcomplete:3@4", "ring:5xcomplete:2@8", "ring:4@2xcomplete:2@3"})
    for (const std::uint32_t parts : {1U, 5U, 50U}) expect_stripes(network::parse_named(name), 3, parts);
}

TEST(StripedBroadcast, goes_around_failures_of_all_lanes) {
  NamedNetwork nodes = network::parse_named("line:4xring:5");
  nodes.lacks.nodes = {7};
  nodes.lacks.links = network::parse_failed_links("0-1,10-15", nodes.network, nodes.lacks);
  for (const std::uint32_t ranks : {2U, 3U}) {
    for (const std::uint32_t parts : {1U, 20U})
      expect_stripes(network::network_of_places(nodes, ranks), 4, parts);
  }
}

// A lane carries its stripe alone: the rounds of so many packets on the network of the nodes, and two more.
TEST(StripedBroadcast, takes_two_rounds_more_than_a_stripe) {
  constexpr std::uint32_t ranks = 4, parts = 200;
  for (const std::string name : {"torus:4x4", "hypercube:3", "ring:6"}) {
    const network::Network nodes = network::parse(name);
    const std::uint64_t stripe =
        rarest_first_broadcast({nodes, {}}, 0, parts / ranks, schedule::PortModel::all(), stripe_limits)
            .round_count();
    const auto whole = expect_stripes(network::parse_named(name + "xcomplete:4@8"), 0, parts);
    EXPECT_LE(whole.round_count(), stripe + 2) << name;
  }
}

TEST(StripedBroadcast, needs_lanes) {
  const auto reason = [](const std::string& name, const std::string& failed_links = "") {
    NamedNetwork named = network::parse_named(name);
    if (!failed_links.empty())
      named.lacks.links = network::parse_failed_links(failed_links, named.network, named.lacks);
    return lacks_lanes(named.network, named.lacks).value_or("");
  };
  EXPECT_EQ(reason("ring:5xcomplete:3"), "");
  EXPECT_EQ(reason("torus:4x3"), "");
  EXPECT_THAT(reason("torus:3x4"), HasSubstr("whose last axis is complete, not torus:3x4"));
  EXPECT_THAT(reason("ring:3xline:3"), HasSubstr("whose last axis is complete"));
  EXPECT_THAT(reason("complete:5"), HasSubstr("whose last axis is complete"));
  EXPECT_THAT(reason("cayley:4x2:1,0/3,0/0,1/1,1/3,1"), HasSubstr("port 3 of cayley is both"));
  EXPECT_THAT(reason("ring:5xcomplete:2", "0-2"), HasSubstr("the failures of ring:5xcomplete:2 are not"));
  EXPECT_THAT(reason("ring:5xcomplete:2", "0-1"), HasSubstr("lanes that are alike"));
}

}  // namespace
}  // namespace isotrope::algorithm
