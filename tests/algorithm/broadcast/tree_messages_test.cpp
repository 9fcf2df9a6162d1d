// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/tree_messages.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/link_load.hpp"
#include "isotrope/schedule/plan.hpp"

#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Collective;

void expect_valid(const network::Network& network, const schedule::Task& task, schedule::Schedule schedule,
                  std::uint64_t rounds, const std::string& what) {
  schedule::Plan plan{network, {}, task, std::move(schedule), {}, {}};
  plan.aggregation = schedule::unbounded;
  plan.claims = {rounds, plan.schedule.hop_count(), false, link_loads(network, plan.schedule)};
  const verify::Report report = verify::verify(plan);
  EXPECT_TRUE(report.valid) << what;
  EXPECT_EQ(report.rounds, rounds) << what;
}

TEST(TreeMessages, take_the_rounds_of_the_broadcast) {
  for (const char* name : {"ring:7", "torus:3x4", "hexmesh:3", "hypercube:4", "complete:9"}) {
    const network::Network network = network::parse(name);
    const network::Node root = network.order() / 2;
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::one(),
                             schedule::PortModel::half(), schedule::PortModel::ports(2)}) {
      const auto one = rarest_first_broadcast({network, {}}, root, 1, ports, {.runs = 3});
      for (const std::uint32_t parts : {1U, 3U}) {
        expect_valid(network, {.collective = Collective::broadcast, .root = root, .parts = parts},
                     tree_message_broadcast(one, parts), one.round_count(), name);
        expect_valid(network, {.collective = Collective::scatter, .root = root, .parts = parts},
                     tree_message_scatter(network, root, parts, one), one.round_count(), name);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
