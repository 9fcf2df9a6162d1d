// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(Cli, draws_a_network) {
  const Outcome outcome = run("draw hypercube:4");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("<svg xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_THAT(outcome.out, EndsWith("</svg>\n"));
  EXPECT_THAT(outcome.out, HasSubstr("<title>hypercube:4</title>"));
  EXPECT_EQ(count(outcome.out, "class='link'"), 32u);
  EXPECT_EQ(count(outcome.out, "class='arrow'"), 0u);
  EXPECT_EQ(run("draw --network hypercube:4").out, outcome.out);
}

// 11 to 5 over 21 and 31; the last hop wraps and has an arrow at either end.
TEST_F(Cli, draws_a_route) {
  EXPECT_EQ(run("draw hexmesh:4 --route 11:5 -o route.svg").out, "");
  std::ifstream file(folder_ / "route.svg");
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(svg, HasSubstr("from 11 to 5 on hexmesh:4: 3 hops"));
  EXPECT_EQ(count(svg, "class='arrow'"), 4u);
  EXPECT_EQ(count(svg, "class='label'"), 3u);
  EXPECT_EQ(count(run("draw hexmesh:4 --route 7:7").out, "class='arrow'"), 0u);
}

TEST_F(Cli, draws_the_tree_of_a_broadcast) {
  const std::string svg = run("draw hypercube:4 --collective broadcast --ports one --root 3").out;
  EXPECT_EQ(count(svg, "class='arrow'"), 15u);
  EXPECT_THAT(svg, HasSubstr("root 3"));
  EXPECT_THAT(svg, HasSubstr(">round 3<"));
  EXPECT_THAT(svg, Not(HasSubstr(">round 4<")));
}

// One node besides the root after round 0, three after round 1.
TEST_F(Cli, shades_who_knows_before_a_round) {
  const auto shaded = [this](int round) {
    return count(
        run("draw hypercube:3 --collective broadcast --ports one --round " + std::to_string(round)).out,
        "fill='#0072B2' stroke='#0072B2'");
  };
  EXPECT_EQ(shaded(0), 0u);
  EXPECT_EQ(shaded(1), 1u);
  EXPECT_EQ(shaded(2), 3u);
}

TEST_F(Cli, draws_a_plan_file_as_the_plan) {
  answer("plan --network torus:3x3 --collective allgather -o plan.json");
  const Outcome all = run("draw plan.json"), first = run("draw plan.json --round 0");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("packets of origin 0"));
  EXPECT_EQ(count(first.out, "class='label'"), 4u);  // one packet a port
  EXPECT_THAT(first.out, HasSubstr(": round 0</title>"));
}

// On a 3x3 torus 12 hops of every node are 3 over each of its 4 links: 36 directed links alike.
TEST_F(Cli, draws_an_exchange_with_the_packets_of_all_nodes) {
  const Outcome all = run("draw torus:3x3 --collective alltoall");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(count(all.out, "class='arrow' stroke='#005AB2'"),
            36u + 2 * 6);  // stubs have an arrow at either end
  EXPECT_THAT(all.out, HasSubstr(">3 packets over the link<"));
  const Outcome first = run("draw torus:3x3 --collective alltoall --round 0");
  EXPECT_EQ(count(first.out, "class='label'"), 36u);
  EXPECT_THAT(first.out, HasSubstr("36 of 36 directed links are in use"));
  EXPECT_THAT(first.out, HasSubstr(">0\u21921<"));
}

// The ring's own links carry 6 packets each way; recursive doubling would use others.
TEST_F(Cli, draws_the_links_of_an_overlay) {
  write("machine.json", R"({"format": "isotrope-machine/1", "startup_s": 1e-5, "byte_time_s": 1e-10,
                            "cut_through": true})");
  const json plan =
      answer("plan --network ring:8 --collective alltoall --bytes 8 --machine machine.json -o plan.json");
  ASSERT_TRUE(json::parse(std::ifstream(folder_ / "plan.json")).contains("overlay")) << plan;
  const Outcome drawn = run("draw plan.json"), round = run("draw plan.json --round 0");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(round.status, 0) << round.err;
  EXPECT_THAT(drawn.out, HasSubstr(" Arrows are "));
}

TEST_F(Cli, draws_a_slice_of_a_large_network) {
  const Outcome torus = run("draw torus:32x32x32");
  EXPECT_EQ(torus.status, 0) << torus.err;
  EXPECT_EQ(count(torus.out, "class='node'"), 1024u);
  EXPECT_THAT(torus.out, HasSubstr("nodes 0 to 1023 of 32768"));
  EXPECT_THAT(torus.out, HasSubstr("2 of the 6 links"));
  const Outcome cube = run("draw hypercube:12 --collective broadcast --ports one --root 100");
  EXPECT_EQ(cube.status, 0) << cube.err;
  EXPECT_EQ(count(cube.out, "class='node'"), 64u);
  EXPECT_THAT(cube.out, HasSubstr("nodes 64 to 127 of 4096"));
  EXPECT_THAT(cube.out, HasSubstr("root 100"));
  EXPECT_EQ(count(cube.out, "class='arrow'"), 63u);  // of the tree's 4095
  EXPECT_THAT(cube.out, HasSubstr("are shown.</text>"));
}

TEST_F(Cli, draws_what_has_failed) {
  answer("plan --network ring:4 --collective broadcast -o plan.json");
  json plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["failed"] = {{"nodes", {2}}, {"links", json::array()}};
  write("failed.json", plan.dump());
  EXPECT_EQ(count(run("draw failed.json").out, "class='failed'"), 3u);  // the node and its two links
}

TEST_F(Cli, draws_a_route_around_failures) {
  const std::string svg = run("draw ring:6 --route 0:2 --failed-nodes 1").out;
  EXPECT_EQ(count(svg, "class='arrow'"), 4u);
  EXPECT_EQ(count(svg, "class='failed'"), 3u);
  expect_refusal("draw ring:6 --route 0:2 --failed-nodes 1,4", "leave no route from 0 to 2");
}

TEST_F(Cli, refuses_to_draw) {
  expect_refusal("draw", "no network");
  expect_refusal("draw hipercube:3", "did you mean hypercube");
  expect_refusal("draw ring:2000", "too many to draw");
  expect_refusal("draw hexmesh:30 --collective alltoall", "too many to draw");
  expect_refusal("draw torus:2x2000", "too many to draw");
  expect_refusal("draw ring:9 --route 1:9", "'9' is no node of ring:9, whose nodes are 0..8");
  expect_refusal("draw ring:9 --route 1", "FROM:TO");
  expect_refusal("draw ring:9 --route 1:2 --collective scatter", "beside a plan");
  expect_refusal("draw ring:9 --round 0", "give a plan file or --collective");
  expect_refusal("draw ring:9 --collective broadcast --round 4", "the rounds of the plan are 0..3");
  expect_refusal("draw ring:9 --collective broadcast --round first", "whole number");
  expect_refusal("draw ring:9 -o refused.json", "ends in .svg");
  expect_refusal("draw ring:9 --json", "no JSON");
  expect_refusal("draw nowhere.json", "nowhere.json");
}

}  // namespace
}  // namespace isotrope::app
