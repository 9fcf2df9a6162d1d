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

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

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
  answer("plan --network torus:3x3 --collective alltoall -o plan.json");
  const Outcome all = run("draw plan.json"), first = run("draw plan.json --round 0");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("packets of origin 0"));
  EXPECT_EQ(count(first.out, "class='label'"), 4u);  // one packet a port
  EXPECT_THAT(first.out, HasSubstr(": round 0</title>"));
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
  expect_refusal("draw hypercube:7", "up to 6 dimensions");
  expect_refusal("draw hypercube:20 --collective alltoall", "up to 6 dimensions");
  expect_refusal("draw torus:40x40", "too many to draw");
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
