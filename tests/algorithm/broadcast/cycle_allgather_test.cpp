// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/graph/hamiltonian_cycle.hpp"
#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Collective;

using schedule::PortModel;

verify::Report verified(const network::NamedNetwork& of, schedule::Task task, schedule::Schedule schedule) {
  return verify::verify({of.network, of.lacks, std::move(task), std::move(schedule), {}, {}});
}

schedule::Schedule half_duplex(const network::Network& network, std::uint32_t parts) {
  return cycle_allgather(network, graph::hamiltonian_cycle(network), parts, PortModel::half());
}

// The allgather and its reversal over links that are up.
void expect_least(const network::NamedNetwork& of, std::uint32_t parts, PortModel ports) {
  SCOPED_TRACE(of.network.name() + ", " + std::to_string(parts) + " parts, " + to_string(ports));
  const auto cycle = graph::hamiltonian_cycle(of.network, of.lacks);
  ASSERT_TRUE(cycle);
  const schedule::Task task{.collective = Collective::allgather, .parts = parts};
  const schedule::Schedule schedule = cycle_allgather(of.network, *cycle, parts, ports);
  const verify::Report report = verified(of, task, schedule);
  EXPECT_TRUE(report.valid && report.optimal) << report.rounds;
  EXPECT_EQ(report.rounds, cycle_allgather_rounds(of.network.order(), of.network.degree(), parts, ports));
  auto backwards = reverse(of.network, task, schedule);
  const verify::Report reduced = verified(of, backwards.task, std::move(backwards.schedule));
  EXPECT_TRUE(reduced.valid && reduced.optimal) << reduced.rounds;
}

TEST(CycleAllgather, takes_the_least_rounds_with_open_axes_and_failed_links) {
  for (const char* name :
       {"mesh:4x4", "mesh:3x2", "mesh:5x6x3", "line:5xring:5", "line:3xhexmesh:2",
        "mesh:4x3xtwisted-torus:2x4", "line:3xcomplete:5", "line:4xring:2", "ring:9", "torus:4x5"}) {
    network::NamedNetwork of = network::parse_named(name);
    for (const bool lacks_a_link : {false, true}) {
      if (lacks_a_link) of.lacks.links = {{1, 0}};
      if (lacks_a_link && !graph::hamiltonian_cycle(of.network, of.lacks)) continue;
      for (const std::uint32_t parts : {1U, 2U, 3U}) {
        for (const PortModel ports : {PortModel::half(), PortModel::one(), PortModel::ports(2)})
          expect_least(of, parts, ports);
      }
    }
  }
}

// Networks of even and odd order.
TEST(CycleAllgather, takes_the_least_rounds_over_half_duplex) {
  for (const char* name :
       {"ring:2", "ring:3", "ring:8", "ring:9", "torus:3x3", "torus:3x5x7", "torus:2x3", "hypercube:3",
        "hexmesh:3", "circulant:15:3,5", "complete:13", "twisted-torus:2x2x4"}) {
    for (const std::uint32_t parts : {1U, 3U})
      expect_least(network::parse_named(name), parts, PortModel::half());
  }
}

// Nodes 0 to 3 along the cycle: 0 and 2 send first.
TEST(CycleAllgather, alternates_sends_and_receipts) {
  const schedule::Schedule schedule = half_duplex(network::parse("ring:4"), 1);
  const auto& rounds = schedule.stages[0].rounds;
  ASSERT_EQ(rounds.size(), 6u);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    ASSERT_EQ(rounds.round(t).size(), 2u);
    for (const schedule::Hop& hop : rounds.round(t)) EXPECT_EQ(hop.from % 2, t % 2);
  }
}

TEST(CycleAllgather, leaves_a_single_node_alone) {
  EXPECT_EQ(half_duplex(network::parse("ring:1"), 2).round_count(), 0u);
}

}  // namespace
}  // namespace isotrope::algorithm
