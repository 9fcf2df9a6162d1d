// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/send_order.hpp"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

// Node 0 of a ring sends to all others, and node 3 to node 1 in a second round.
Plan plan_over_overlay(const char* name) {
  const Network network = network::parse(name);
  std::vector<Node> offsets;
  for (Node offset = 1; offset < network.order(); ++offset) offsets.push_back(offset);
  const Network overlay("cayley", network.group(), offsets);
  Stage stage{Flow::copy, Replication::none(), {}, {}};
  for (Port port = 0; port < overlay.degree(); ++port) stage.rounds.add({port, 0, port});
  stage.rounds.close_round();
  stage.rounds.add({0, 3, 0});
  stage.rounds.close_round();
  Plan plan{
      network, {}, {.collective = Collective::broadcast}, {PortModel::all(), RoundKind::aggregated, {stage}},
      {},      {}};
  plan.overlay = overlay;
  return plan;
}

// What goes from where to where, by round.
auto moves(const Plan& plan) {
  std::set<std::tuple<std::uint64_t, PacketId, Node, Node>> result;
  const Rounds& rounds = plan.schedule.stages.front().rounds;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t))
      result.emplace(t, hop.packet, hop.from, hop_network(plan).neighbour(hop.from, hop.port));
  }
  return result;
}

TEST(SendOrder, numbers_ports_by_distance) {
  for (const char* name : {"ring:8", "ring:9", "torus:3x4", "hexmesh:3"}) {
    const Plan before = plan_over_overlay(name);
    for (const bool nearest_first : {false, true}) {
      for (const bool last_port_first : {false, true}) {
        Plan plan = before;
        order_sends(plan, {nearest_first, last_port_first});
        // Offsets were numbered in ascending order.
        const auto place = [&](Port port) {
          const auto offset = static_cast<int>(plan.overlay->generators()[port]);
          const auto distance = static_cast<int>(plan.network.distance(0, static_cast<Node>(offset)));
          return std::pair(nearest_first ? distance : -distance, last_port_first ? -offset : offset);
        };
        for (Port port = 1; port < plan.overlay->degree(); ++port)
          EXPECT_LT(place(port - 1), place(port)) << name;
        EXPECT_EQ(moves(plan), moves(before)) << name;
      }
    }
  }
}

TEST(SendOrder, leaves_plans_over_links_as_they_are) {
  Plan plan = plan_over_overlay("complete:5");
  plan.overlay.reset();
  const Schedule before = plan.schedule;
  order_sends(plan, {.nearest_first = true});
  EXPECT_EQ(plan.schedule.stages.front().rounds, before.stages.front().rounds);
  EXPECT_FALSE(plan.overlay);
}

}  // namespace
}  // namespace isotrope::schedule
