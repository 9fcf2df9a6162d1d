// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/link_load.hpp"

#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/algorithm/exchange/total_exchange.hpp"

#include "tests/cost/plans.hpp"
#include "tests/verify/sample_plans.hpp"

namespace isotrope::cost {
namespace {

using schedule::Flow;
using schedule::PortModel;
using schedule::RoundKind;
using testing::Each;
using testing::ElementsAre;

// Three packets over two ports of node 0, nothing, one packet from node 1.
TEST(RoundLoads, count_messages_a_node_and_packets_a_link) {
  const auto plan =
      checked_plan(network::parse("ring:4"), "scatter", 0, 1,
                   schedule_of(PortModel::all(), Flow::move,
                               {{{1, 0, 0}, {2, 0, 0}, {3, 0, 1}}, {}, {{2, 1, 0}}}, RoundKind::aggregated));
  EXPECT_THAT(round_loads(plan.network, plan.schedule),
              ElementsAre(RoundLoad{2, 3, 2, 1}, RoundLoad{1, 1, 1, 1}));
}

// Every node sends over all ports in every round.
TEST(RoundLoads, follow_one_node_where_all_are_alike) {
  for (const std::uint32_t d : {1u, 3u, 6u}) {
    const auto loads = round_loads(network::hypercube(d), algorithm::total_exchange(d, 1));
    EXPECT_EQ(loads.size(), std::size_t{1} << (d - 1));
    EXPECT_THAT(loads, Each(RoundLoad{d, d, 1, d, true}));
  }
}

class SampleLoads : public testing::TestWithParam<std::string_view> {};

TEST_P(SampleLoads, are_the_loads_of_links) {
  for (const schedule::Plan& plan : verify::sample_plans(GetParam())) {
    std::vector<std::uint64_t> links = link_loads(plan.network, plan.schedule);
    std::erase(links, 0u);
    std::vector<std::uint64_t> packets;
    for (const RoundLoad& load : round_loads(plan.network, plan.schedule)) {
      packets.push_back(load.packets);
      EXPECT_GE(load.messages, 1u);
      EXPECT_GE(load.sent, std::max(load.messages, load.packets));
      EXPECT_LE(load.messages, plan.schedule.ports.sends(plan.network.degree()));
    }
    EXPECT_EQ(packets, links) << plan.network.name() << " " << to_string(plan.task);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, SampleLoads, testing::ValuesIn(verify::sample_networks()),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

}  // namespace
}  // namespace isotrope::cost
