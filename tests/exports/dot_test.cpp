// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/dot.hpp"

#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "tests/exports/plans.hpp"

namespace isotrope::exports {
namespace {

using network::Node;
using network::SurvivingNetwork;
using schedule::Collective;

template <class Subject>
std::string dot(const Subject& subject) {
  std::ostringstream out;
  write_dot(out, subject);
  return out.str();
}

TEST(DotExport, of_a_network) {
  EXPECT_EQ(dot(SurvivingNetwork(network::parse("ring:4"), {})),
            "graph \"ring:4\" {\n  0 -- 1;\n  0 -- 3;\n  1 -- 2;\n  2 -- 3;\n}\n");
  EXPECT_EQ(dot(SurvivingNetwork(network::parse("ring:1"), {})), "graph \"ring:1\" {\n  0;\n}\n");
}

TEST(DotExport, leaves_out_the_links_of_open_axes) {
  const auto [network, lacks] = network::parse_named("line:3");
  EXPECT_EQ(dot(SurvivingNetwork(network, lacks)), "graph \"line:3\" {\n  0 -- 1;\n  1 -- 2;\n}\n");
}

// Three parts go from the root, node 1, in three rounds.
TEST(DotExport, of_a_plan) {
  EXPECT_EQ(dot(chosen_plan("ring:2", Collective::broadcast, 3)),
            "digraph \"broadcast on ring:2\" {\n  1 -> 0 [label=\"0,1,2\"];\n}\n");
}

TEST(DotExport, of_messages_to_nodes_that_are_no_neighbours) {
  EXPECT_EQ(dot(overlay_plan()),
            "digraph \"broadcast on ring:4\" {\n  3 -> 0 [label=\"0\"];\n  3 -> 1 [label=\"0\"];\n"
            "  3 -> 2 [label=\"0\"];\n}\n");
}

// Packets that travel together are one round.
TEST(DotExport, names_a_round_once) {
  schedule::Plan plan = chosen_plan("ring:2", Collective::broadcast, 3);
  schedule::Rounds together;
  for (schedule::PacketId part = 0; part < 3; ++part) together.add({part, 1, 0});
  together.close_round();
  plan.schedule.stages[0].rounds = together;
  EXPECT_EQ(dot(plan), "digraph \"broadcast on ring:2\" {\n  1 -> 0 [label=\"0\"];\n}\n");
}

TEST(DotExport, has_every_link_once) {
  for (const char* name : {"hypercube:4", "torus:4x3x2", "hexmesh:3", "twisted-torus:4x4x8"}) {
    const network::Network network = network::parse(name);
    std::istringstream lines(dot(SurvivingNetwork(network, {})));
    std::set<std::pair<Node, Node>> links;
    std::string line;
    std::getline(lines, line);
    Node from = 0, to = 0;
    for (std::string arrow; lines >> from >> arrow >> to; lines.ignore()) {
      EXPECT_EQ(arrow, "--");
      EXPECT_EQ(network.distance(from, to), 1U);
      EXPECT_TRUE(links.insert({from, to}).second);
    }
    EXPECT_EQ(2 * links.size(), network.directed_links()) << name;
  }
}

}  // namespace
}  // namespace isotrope::exports
