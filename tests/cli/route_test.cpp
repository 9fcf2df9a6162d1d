// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

// Chen, Shin, Kandlur, Fig. 7.
TEST_F(Cli, routes_on_a_hexagonal_mesh) {
  EXPECT_EQ(run("route hexmesh:4 11 5").out,
            "hexmesh:4 from 11 to 5\n"
            "  distance      3 hops\n"
            "  record        m_x = 0, m_y = -2, m_z = -1\n"
            "  nodes         11 21 31 5\n"
            "  ports         3 3 5\n"
            "  paths         3 of this length\n");
  const json found = answer("route hexmesh:4 11 5");
  EXPECT_EQ(found.at("distance"), 3);
  EXPECT_EQ(found.at("record"), (json{{"x", 0}, {"y", -2}, {"z", -1}}));
  EXPECT_EQ(found.at("nodes"), (json{11, 21, 31, 5}));
  EXPECT_EQ(found.at("ports"), (json{3, 3, 5}));
  EXPECT_EQ(found.at("shortest_routes"), "3");
}

TEST_F(Cli, routes_on_other_networks) {
  EXPECT_EQ(run("route torus:4x4 0 11").out,
            "torus:4x4 from 0 to 11\n"
            "  distance      3 hops\n"
            "  axis 0        2 hops ahead over port 0, halfway round: back is equally short\n"
            "  axis 1        1 hop back over port 3\n"
            "  nodes         0 4 8 11\n"
            "  ports         0 0 3\n"
            "  paths         6 of this length\n");
  EXPECT_EQ(run("route circulant:13:1,5 0 11").out,
            "circulant:13:1,5 from 0 to 11\n"
            "  distance      2 hops\n"
            "  port 1        2 hops\n"
            "  nodes         0 12 11\n"
            "  ports         1 1\n"
            "  paths         1 of this length\n");
  const json cube = answer("route hypercube:20 0 1048575");
  EXPECT_EQ(cube.at("shortest_routes"), "2432902008176640000");  // 20!
  EXPECT_EQ(cube.at("hops_per_port"), json(std::vector<int>(20, 1)));
  EXPECT_THAT(run("route ring:5 3 3").out,
              HasSubstr("distance      0 hops\n  nodes         3\n  ports         none"));
}

TEST_F(Cli, shortens_long_routes) {
  EXPECT_THAT(run("route ring:100 0 50").out,
              HasSubstr("nodes         0 1 2 3 4 5 6 7 8 9 ... 41 42 43 44 45 46 47 48 49 50 (51 in all)\n"));
  EXPECT_EQ(answer("route ring:100 0 50").at("nodes").size(), 51u);
}

TEST_F(Cli, shortens_long_numbers) {
  const std::string many = answer("route torus:200x200 0 20100").at("shortest_routes");  // 4 C(200, 100)
  EXPECT_EQ(many.size(), 60u);
  EXPECT_THAT(run("route torus:200x200 0 20100").out,
              HasSubstr("paths         " + many.substr(0, 12) + "... (60 digits) of this length\n"));
}

TEST_F(Cli, routes_around_failures) {
  EXPECT_EQ(run("route ring:7 0 2 --failed-links 1-2").out,
            "ring:7 from 0 to 2\n"
            "  distance      5 hops, 2 without failures\n"
            "  detour        3 hops\n"
            "  nodes         0 6 5 4 3 2\n"
            "  ports         1 1 1 1 1\n");
  const json found = answer("route hexmesh:4 11 5 --failed-nodes 21");
  EXPECT_TRUE(found.at("reachable").get<bool>());
  EXPECT_EQ(found.at("distance"), 3);
  EXPECT_EQ(found.at("detour"), 0);
  for (const json& node : found.at("nodes")) EXPECT_NE(node, 21);
}

TEST_F(Cli, names_the_nodes_that_failures_cut_off) {
  const Outcome lost = run("route ring:7 0 2 --failed-nodes 1,4");
  EXPECT_EQ(lost.status, 1);
  EXPECT_EQ(lost.out, "2 cannot be reached from 0 on ring:7: disconnected nodes 2 3\n");
  const Outcome alone = run("route ring:7 0 2 --failed-nodes 1 --failed-links 2:0 --json");
  EXPECT_EQ(alone.status, 1);
  EXPECT_EQ(json::parse(alone.out).at("disconnected"), json{2});
  EXPECT_FALSE(json::parse(alone.out).at("reachable").get<bool>());
}

TEST_F(Cli, routes_on_the_network_of_a_machine) {
  write("block.json",
        R"({"format": "isotrope-machine/1", "network": "line:4xring:6", "ranks_per_node": 4,
                          "failed_links": ["0-1"], "startup_s": 1e-6, "byte_time_s": 1e-9})");
  EXPECT_EQ(run("route --machine block.json 0 1").out,
            "line:4xring:6 from 0 to 1\n"
            "  distance      3 hops, 1 without failures\n"
            "  detour        2 hops\n"
            "  nodes         0 6 7 1\n"
            "  ports         0 2 1\n");
  EXPECT_EQ(answer("route --machine block.json ring:9 0 3").at("network"), "ring:9");
  EXPECT_EQ(run("route --network ring:5 1 3").out, run("route ring:5 1 3").out);
}

TEST_F(Cli, routes_on_open_networks) {
  EXPECT_EQ(run("route mesh:4x4 0 3").out,
            "mesh:4x4 from 0 to 3\n"
            "  distance      3 hops\n"
            "  nodes         0 1 2 3\n"
            "  ports         2 2 2\n");
}

TEST_F(Cli, refuses_bad_routes) {
  expect_refusal("route", "give NETWORK FROM TO");
  expect_refusal("route ring:7 0", "give NETWORK FROM TO");
  expect_refusal("route ring:7 0 1 2", "one argument too many");
  expect_refusal("route --network ring:7 0", "give NETWORK FROM TO");
  expect_refusal("route ring:7 --network ring:8 0 1", "two networks");
  expect_refusal("route ring:7 0 7 -o refused.json", "TO 7: the nodes of ring:7 are 0..6");
  expect_refusal("route ring:7 x 0", "FROM x: give a whole number");
  expect_refusal("route rign:7 0 1", "ring");
  expect_refusal("route ring:7 0 2 --failed-nodes 2", "node 2 has failed");
  expect_refusal("route ring:7 0 2 --failed-nodes 9", "'9' is no node of ring:7");
  expect_refusal("route ring:7 0 2 --failed-links 0-3", "not neighbours");
}

}  // namespace
}  // namespace isotrope::app
