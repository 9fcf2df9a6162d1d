// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/locally_rarest.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/irregular/rarest_first_allgather.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

schedule::Problem allgather(std::string_view name, std::uint32_t parts, std::vector<Node> failed = {}) {
  auto [network, lacks] = network::parse_named(name);
  lacks.nodes = std::move(failed);
  return {.network = network,
          .failed = lacks,
          .task = {.collective = schedule::Collective::allgather, .parts = parts}};
}

std::vector<schedule::Packet> packets_of(const schedule::Problem& problem,
                                         const network::SurvivingNetwork& network) {
  std::vector<schedule::Packet> result;
  for (const Node node : network.nodes()) {
    for (std::uint32_t part = 0; part < problem.task.parts; ++part)
      result.push_back({node, schedule::to_all, 0, part});
  }
  return result;
}

verify::Report check_pulls(const schedule::Problem& problem) {
  const network::SurvivingNetwork network(problem.network, problem.failed);
  std::vector<schedule::Packet> packets = packets_of(problem, network);
  auto rounds = locally_rarest_rounds(network, packets, UINT64_MAX, 1);
  const schedule::Bound bound = bound::lower_bounds(problem).front();
  const schedule::Claims claims{rounds->size(), rounds->hop_count(), {}, {}};
  schedule::Schedule schedule{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
  schedule.stages.push_back(
      {schedule::Flow::copy, schedule::Replication::none(), std::move(packets), *std::move(rounds)});
  return verify::verify({problem.network, problem.failed, problem.task, std::move(schedule), bound, claims});
}

TEST(LocallyRarest, meets_the_bound_at_the_first_try) {
  for (const char* name :
       {"line:7", "mesh:4x4", "mesh:5x7", "mesh:3x4x5", "line:8xring:6", "line:5xhypercube:3", "torus:5x5",
        "hypercube:6", "ring:9xcomplete:4", "complete:9", "line:7xcomplete:11"}) {
    for (const std::uint32_t parts : {1U, 3U}) {
      const verify::Report report = check_pulls(allgather(name, parts));
      EXPECT_TRUE(report.valid && report.claims_hold) << name;
      EXPECT_EQ(report.rounds, report.bound.value) << name << " in " << parts;
    }
  }
}

// Sets of packets are worked on 512 at a time.
TEST(LocallyRarest, meets_the_bound_with_many_packets) {
  for (const auto& [name, parts] : {std::pair("ring:9xcomplete:4", 15U), std::pair("line:6xcomplete:12", 11U),
                                    std::pair("torus:16x32", 1U), std::pair("line:513", 1U)}) {
    const verify::Report report = check_pulls(allgather(name, parts, {}));
    EXPECT_TRUE(report.valid && report.claims_hold) << name;
    EXPECT_EQ(report.rounds, report.bound.value) << name << " in " << parts;
  }
  const verify::Report around = check_pulls(allgather("torus:24x24", 1, {30, 31, 77}));
  EXPECT_TRUE(around.valid && around.claims_hold);
  EXPECT_EQ(around.rounds, around.bound.value);
}

TEST(LocallyRarest, keeps_the_symmetry) {
  for (const char* name :
       {"line:8", "mesh:4x4", "mesh:3x4x5", "line:8xring:6", "line:5xhypercube:3", "mesh:8x8"}) {
    for (const std::uint32_t parts : {1U, 3U}) {
      const schedule::Problem problem = allgather(name, parts);
      schedule::Schedule schedule =
          rarest_first_allgather({problem.network, problem.failed}, parts, schedule::PortModel::all());
      EXPECT_EQ(schedule.stages.front().symmetry, schedule::symmetry_axes(problem.network, problem.failed))
          << name;
      const schedule::Bound bound = bound::lower_bounds(problem).front();
      const schedule::Claims claims{schedule.round_count(), schedule.hop_count(), {}, {}};
      const verify::Report report =
          verify::verify({problem.network, problem.failed, problem.task, std::move(schedule), bound, claims});
      EXPECT_TRUE(report.valid && report.claims_hold) << name;
      EXPECT_EQ(report.rounds, report.bound.value) << name << " in " << parts;
    }
  }
}

TEST(LocallyRarest, brings_every_packet_to_a_node_once) {
  const schedule::Problem problem = allgather("line:4xring:5", 2, {7});
  const network::SurvivingNetwork network(problem.network, problem.failed);
  const auto rounds = locally_rarest_rounds(network, packets_of(problem, network), UINT64_MAX, 1);
  std::set<std::pair<Node, schedule::PacketId>> received;
  for (const schedule::Hop& hop : rounds->hops())
    EXPECT_TRUE(received.emplace(network.whole().neighbour(hop.from, hop.port), hop.packet).second);
  EXPECT_EQ(received.size(), 19 * 18 * 2);
}

TEST(LocallyRarest, goes_around_failures) {
  for (Node failed = 0; failed < 16; ++failed) {
    const verify::Report report = check_pulls(allgather("torus:4x4", 2, {failed}));
    EXPECT_TRUE(report.valid && report.claims_hold) << failed;
    EXPECT_LE(report.rounds, report.bound.value + 1) << failed;
  }
}

TEST(LocallyRarest, ends_where_it_would_take_too_many_rounds) {
  const schedule::Problem problem = allgather("mesh:4x4", 1);
  const network::SurvivingNetwork network(problem.network, problem.failed);
  EXPECT_FALSE(locally_rarest_rounds(network, packets_of(problem, network), 8, 1));
  EXPECT_TRUE(locally_rarest_rounds(network, packets_of(problem, network), 9, 1));
}

}  // namespace
}  // namespace isotrope::algorithm
