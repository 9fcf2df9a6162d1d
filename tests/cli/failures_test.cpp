// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans around failures, and architectures compared, on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

TEST_F(Cli, plans_around_failures_and_checks_the_file) {
  const std::string damaged = "--network hexmesh:4 --failed-nodes 5,12 --failed-links 0-1,7:2 --collective ";
  for (const char* collective : {"broadcast", "allgather", "alltoall", "reduce --ports one"}) {
    for (const char* file : {"plan.json", "plan.cbor"}) {
      const json plan = answer("plan " + damaged + collective + " -o " + file);
      EXPECT_TRUE(plan.at("valid").get<bool>()) << collective;
      EXPECT_EQ(plan.at("failed").at("nodes"), json({5, 12}));
      EXPECT_EQ(plan.at("failed").at("links"), json({{0, 0}, {7, 2}}));
      const json verified = answer(std::string("verify ") + file);
      EXPECT_TRUE(verified.at("claims_hold").get<bool>());
      EXPECT_EQ(verified.at("bound"), plan.at("bound"));
      EXPECT_TRUE(answer(std::string("run --bytes 100 ") + file).at("correct").get<bool>()) << collective;
    }
  }
  EXPECT_EQ(answer("bound plan.json").at("bound"), answer("verify plan.json").at("bound"));
  EXPECT_THAT(run("plan " + damaged + "broadcast").out,
              HasSubstr("broadcast on hexmesh:4 without nodes 5,12 and links 0-1,7-"));
  EXPECT_THAT(run("bound plan.json").out, HasSubstr("on hexmesh:4 without nodes 5,12 and links 0-1,7-"));
}

TEST_F(Cli, plans_on_any_graph_from_a_file) {
  write("wheel.json", R"({"directed": false, "graph": {}, "nodes": [
    {"id": "hub", "pos": [0, 0]}, {"id": "n", "pos": [0, 1]}, {"id": "e", "pos": [1, 0]}, {"id": "s", "pos": [0, -1]}],
    "links": [{"source": "hub", "target": "n"}, {"source": "hub", "target": "e"}, {"source": "s", "target": "hub"},
              {"source": "n", "target": "e"}]})");
  for (const char* collective : {"broadcast", "allgather", "alltoall", "allreduce", "scatter --ports one"}) {
    const json plan =
        answer("plan --network wheel.json -o graph.json --collective " + std::string(collective));
    EXPECT_TRUE(plan.at("valid").get<bool>()) << collective;
    EXPECT_EQ(plan.at("edges"), 4) << collective;
    EXPECT_TRUE(answer("verify graph.json").at("claims_hold").get<bool>()) << collective;
    EXPECT_TRUE(answer("run --bytes 96 graph.json").at("correct").get<bool>()) << collective;
  }
  const json wheel = answer("network wheel.json --node 3");
  EXPECT_EQ(wheel.at("links"), 4);
  EXPECT_EQ(wheel.at("link_connectivity"), 1);
  EXPECT_EQ(wheel.at("node").at("neighbours"), json({0, nullptr, nullptr}));
  EXPECT_EQ(answer("route wheel.json 1 3").at("distance"), 2);
  EXPECT_EQ(run("draw wheel.json -o wheel.svg").status, 0);
  EXPECT_EQ(run("draw graph.json -o plan.svg").status, 0);
  EXPECT_THAT(run("compare wheel.json ring:4").out, HasSubstr("wheel.json"));
  EXPECT_THAT(run("plan wheel.json --collective allgather --failed-links 1-2").out,
              HasSubstr("with 4 of its 6 links without link 1-2"));
  expect_refusal("plan --network wheel.json --failed-links 1-3 --collective alltoall",
                 "nodes 1 and 3 of circulant:4:1,2 are not neighbours");
  expect_refusal("plan --network none.json --collective alltoall", "none.json");
  EXPECT_GE(
      answer("simulate wheel.json --collective alltoall --failed-links 1-2").at("rounds").at("smallest"), 3);
  write("loop.json", "{\"nodes\": 2,\n\"links\": [[0, 1],\n[1, 1]]}");
  expect_refusal("network loop.json", "loop.json:3: the link from 1 leads to itself");
}

TEST_F(Cli, plans_on_networks_with_open_axes) {
  for (const char* collective : {"broadcast", "allgather", "alltoall", "allreduce", "scatter --ports one"}) {
    const json plan =
        answer("plan --network line:4xring:8 -o open.json --collective " + std::string(collective));
    EXPECT_TRUE(plan.at("valid").get<bool>()) << collective;
    EXPECT_EQ(plan.at("network"), "line:4xring:8");
    EXPECT_EQ(plan.at("open_axes"), json::array({0}));
    EXPECT_TRUE(answer("verify open.json").at("claims_hold").get<bool>()) << collective;
    EXPECT_TRUE(answer("run --bytes 96 open.json").at("correct").get<bool>()) << collective;
  }
  EXPECT_TRUE(answer("plan --network line:4xring:8 --failed-links 0-1 --collective alltoall")
                  .at("valid")
                  .get<bool>());
  EXPECT_EQ(run("draw --network line:4xring:8 -o open.svg").status, 0);
  EXPECT_EQ(answer("route mesh:4x4 0 15").at("distance"), 6);
  const json mesh = answer("network mesh:4x4 --node 3 --to 12");
  EXPECT_EQ(mesh.at("degree"), 4);
  EXPECT_EQ(mesh.at("least_degree"), 2);
  EXPECT_EQ(mesh.at("diameter"), 6);
  EXPECT_EQ(mesh.at("bisection").at("at_most"), 4);
  EXPECT_EQ(mesh.at("shortest_paths").at("most"), 20);
  EXPECT_EQ(mesh.at("node").at("neighbours"), json({7, nullptr, nullptr, 2}));
  EXPECT_EQ(mesh.at("distance"), 6);
  expect_refusal("plan --network mesh:4x4 --collective neighborhood:1:1", "task:FILE");
  EXPECT_EQ(answer("plan --tpu v5e-4x8 --collective alltoall").at("rounds"), 64);
  EXPECT_EQ(answer("catalog --networks").at("networks").size(), 156U);
  expect_refusal("plan --tpu v5e-4x8 --network ring:4 --collective alltoall", "two networks");
  EXPECT_GE(answer("simulate --network mesh:4x4 --collective alltoall --runs 3").at("rounds").at("smallest"),
            16);
  expect_refusal("simulate --network mesh:4x4 --collective alltoall --policy symmetric-random", "symmetric-");
  expect_refusal("network mesh:1000x1000", "16384 at most");
  expect_refusal("plan --network line:4xrong:8 --collective alltoall", "rong");
}

TEST_F(Cli, names_whom_failures_cut_off) {
  const std::string ring = "plan --network ring:9 --collective broadcast ";
  expect_refusal(ring + "--failed-links 0-1,4-5", "cut nodes 1,2,3,4 off from node 0");
  expect_refusal(ring + "--failed-nodes 0", "the root, node 0, has failed");
  EXPECT_EQ(answer("simulate --network ring:9 --collective alltoall --failed-nodes 3").at("policy"),
            "largest-residual");
  expect_refusal("network ring:9 --failed-links 0-1", "whole network");
  expect_refusal(ring + "--failed-nodes 9", "whose nodes are 0..8");
  expect_refusal(ring + "--failed-links 0-2", "not neighbours");
  expect_refusal("plan --network complete:1 --collective broadcast --failed-links 0:0",
                 "complete:1 has one node and no links");
  expect_refusal(ring + "--failed-nodes 3 --algorithm layered-tree-broadcast", "the whole network");
  expect_refusal(ring + "--algorithm surviving-tree-broadcast", "nothing has failed");
  expect_refusal("bound --network ring:9 --collective allgather --failed-links 0-1,4-5", "cut");
}

// A gossip of so many nodes is no candidate: to search for one takes seconds, and for 5,000 nodes minutes.
TEST_F(Cli, plans_barriers_of_large_open_networks_by_trees) {
  write("cut.json",
        R"({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-9, "cut_through": true})");
  const json plan =
      answer("plan mesh:12x12x12 --collective barrier --ports one --bytes 1 --machine cut.json --explain");
  EXPECT_EQ(plan.at("algorithm"), "level-tree-barrier");
  for (const json& candidate : plan.at("candidates"))
    EXPECT_NE(candidate.at("algorithm"), "rarest-first-allgather-then-reduce");
}

TEST_F(Cli, compares_architectures) {
  const json two = answer("compare binary-tree:4 hexmesh:3");
  EXPECT_EQ(two.at("architectures")[0].at("connectivity"), 1);
  EXPECT_EQ(two.at("architectures")[0].at("rounds").at("alltoall").at("rounds"), 7 * 8);
  EXPECT_EQ(two.at("architectures")[1].at("nodes"), 19);
  EXPECT_TRUE(two.at("architectures")[1].at("rounds").at("allgather").at("optimal").get<bool>());
  EXPECT_THAT(run("compare star:9 ring:5").out, HasSubstr("star:9"));
  expect_refusal("compare tree:4", "tree");
  expect_refusal("compare star:2", "3 to 1023");
}

}  // namespace
}  // namespace isotrope::app
