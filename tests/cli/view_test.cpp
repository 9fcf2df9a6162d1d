// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages and moving pictures of plans on the command line. tests/viewer has those that need a browser.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Cli, writes_a_page_that_needs_nothing_else) {
  const Outcome outcome = run("view --network hypercube:3 --collective alltoall");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("<title>alltoall on hypercube:3, all-port"));
  EXPECT_THAT(outcome.out,
              Not(AllOf(HasSubstr("src=\"http"), HasSubstr("href=\"http"), HasSubstr("fetch("))));
  EXPECT_THAT(outcome.out, Not(HasSubstr("{{")));
}

// What may stand in the name of a node, a file or a plan ends no script element of the page.
TEST_F(Cli, keeps_texts_of_a_plan_out_of_the_scripts_of_its_page) {
  write("plan.json", R"({"format": "isotrope-plan/2", "network": {"name": "ring:4"}, "collective": "barrier",
    "bound": {"kind": "distance", "value": 2, "because": "</script><b>"}, "stages": [{"hops": []}]})");
  const Outcome outcome = run("view plan.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\\u003c/script>\\u003cb>"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("</script><b>")));
}

TEST_F(Cli, refuses_to_view) {
  EXPECT_THAT(run("view --network hypercube:3 --collective alltoall -o page.txt").err,
              HasSubstr("ends in .html"));
  EXPECT_THAT(run("view --network hypercube:17 --collective broadcast").err,
              HasSubstr("at most 65536 nodes"));
  EXPECT_THAT(run("view --gallery new --network ring:4").err, HasSubstr("leave out the plan"));
  EXPECT_THAT(run("view --network ring:4").err, HasSubstr("no collective"));
}

TEST_F(Cli, writes_a_gallery_once) {
  ASSERT_EQ(run("view --gallery pages").status, 0);
  std::ifstream file(folder_ / "pages" / "index.html");
  const std::string index{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(count(index, "<a href="), 14u);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pages")) {
    if (entry.path().extension() != ".svg") continue;
    EXPECT_THAT(index, HasSubstr(entry.path().filename().string()));
  }
  EXPECT_EQ(run("view --gallery pages").status, 2);
}

// A packet of each node to each other one: 4 * 1 + 4 * 1 + 4 * 2 hops on a ring of 4, half of the far ones each way.
TEST_F(Cli, draws_a_plan_in_motion) {
  const std::string svg = run("draw ring:4 --collective alltoall --animate").out;
  EXPECT_EQ(count(svg, "<circle class='f "), 16u);
  EXPECT_EQ(count(svg, "<text class='t "), 2u);
  EXPECT_THAT(svg, HasSubstr("prefers-reduced-motion"));
  // In a broadcast nodes fill up at different times; the root, which receives nothing, has its own colour.
  const std::string broadcast = run("draw hypercube:3 --collective broadcast --ports one --animate").out;
  EXPECT_EQ(count(broadcast, "<circle class='f "), 7u);
  EXPECT_EQ(count(broadcast, "<circle class='n "), 7u);
}

TEST_F(Cli, refuses_to_draw_in_motion) {
  EXPECT_THAT(run("draw ring:4 --animate").err, HasSubstr("--animate without a plan"));
  EXPECT_THAT(run("draw ring:4 --collective alltoall --animate --round 0").err,
              HasSubstr("leave out --round 0"));
  EXPECT_THAT(run("draw torus:8x8x8 --collective alltoall --animate").err,
              HasSubstr("1572864 hops are too many"));
}

}  // namespace
}  // namespace isotrope::app
