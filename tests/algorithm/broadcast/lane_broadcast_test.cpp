// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/lane_broadcast.hpp"

#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::PortModel;

// The rounds of a schedule that the checker accepts.
std::uint64_t checked_rounds(const Network& network, std::uint32_t parts, PortModel ports) {
  LaneBroadcast lanes(network, ports);
  const Node root = network.order() / 3;
  const schedule::Plan plan{network,
                            {},
                            {.collective = Collective::broadcast, .root = root, .parts = parts},
                            lanes.schedule(root, parts),
                            {},
                            {}};
  const verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid) << network.name() << ", " << parts;
  EXPECT_EQ(report.transmissions, std::uint64_t{network.order() - 1} * parts);
  EXPECT_EQ(report.rounds, lanes.rounds(parts));
  return report.rounds;
}

class LanesOf : public testing::TestWithParam<std::string> {};

TEST_P(LanesOf, bring_every_packet_to_every_node_once) {
  const Network network = network::parse(GetParam());
  for (const auto ports : {PortModel::one(), PortModel::half()}) {
    for (const std::uint32_t parts : {1U, 2U, 3U, 7U, 16U, 61U}) checked_rounds(network, parts, ports);
  }
}

INSTANTIATE_TEST_SUITE_P(LaneBroadcast, LanesOf,
                         testing::Values("ring:2", "ring:3", "ring:9", "ring:64", "torus:2x2", "torus:3x2",
                                         "torus:1x5x1x4", "torus:8x8", "torus:5x7", "torus:2x30",
                                         "torus:30x2", "torus:4x6x8", "torus:3x5x7", "torus:13x2x11",
                                         "torus:16x16x16", "torus:2x3x4x5", "hypercube:5"));

std::uint64_t bound_of(const Network& network, std::uint32_t parts, PortModel ports) {
  const schedule::Task task{.collective = Collective::broadcast, .parts = parts};
  return bound::lower_bounds({.network = network, .task = task, .ports = ports}).front().value;
}

// Whatever the extents, if they leave room for a number of lanes.
TEST(LaneBroadcast, is_near_the_bound_for_many_packets_on_large_tori) {
  if (is_sanitized) GTEST_SKIP() << "its networks are large";
  for (const char* name : {"torus:64x64", "torus:61x67", "torus:24x90", "torus:32x24x20", "torus:33x31x17"}) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : {40U, 100U, 400U}) {
      const std::uint64_t bound = bound_of(network, parts, PortModel::one());
      EXPECT_LE(20 * checked_rounds(network, parts, PortModel::one()), 29 * bound) << name << ", " << parts;
    }
  }
}

TEST(LaneBroadcast, is_a_path_round_a_ring) {
  for (const std::uint32_t parts : {1U, 5U, 100U}) {
    EXPECT_EQ(checked_rounds(network::parse("ring:30"), parts, PortModel::one()), parts + 28);
    EXPECT_EQ(checked_rounds(network::parse("ring:30"), parts, PortModel::half()), 2 * parts + 27);
  }
}

TEST(LaneBroadcast, is_planned_for_a_million_nodes) {
  if (is_sanitized) GTEST_SKIP() << "its network is large";
  LaneBroadcast lanes(network::parse("torus:64x64x256"), PortModel::one());
  EXPECT_LE(lanes.rounds(16), 259U);  // 1.25 times the bound
  EXPECT_LE(lanes.rounds(100), 364U);
}

}  // namespace
}  // namespace isotrope::algorithm
