// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of unlike links on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

TEST_F(Cli, plans_on_networks_of_unlike_links) {
  for (const char* collective : {"broadcast", "allgather", "alltoall", "allreduce", "scatter --ports one"}) {
    const json plan =
        answer("plan --network line:4xring:8@2 -o rated.json --collective " + std::string(collective));
    EXPECT_TRUE(plan.at("valid").get<bool>()) << collective;
    EXPECT_EQ(plan.at("network"), "line:4xring:8@2");
    EXPECT_TRUE(answer("verify rated.json").at("claims_hold").get<bool>()) << collective;
    EXPECT_TRUE(answer("run --bytes 96 rated.json").at("correct").get<bool>()) << collective;
  }
  EXPECT_EQ(run("draw --network line:4xring:8@2 -o rated.svg").status, 0);
  EXPECT_EQ(run("compare-algorithms --network line:4xring:8@2 --collective allreduce").status, 0);
  for (const char* format : {"ti", "goal", "msccl", "mscclpp", "chakra", "dot", "csv"}) {
    const Outcome outcome =
        run(std::string("export rated.json --bytes 1KiB --format ") + format + " -o exported-" + format);
    EXPECT_EQ(outcome.status, 0) << format << ": " << outcome.err;
  }
  EXPECT_EQ(run("export line:4xring:8@2 --format simgrid -o platform.xml").status, 0);
}

TEST_F(Cli, shows_rates) {
  const json torus = answer("network torus:4x4@1,8");
  EXPECT_EQ(torus.at("degree"), 18);
  EXPECT_EQ(torus.at("link_connectivity"), 8);
  EXPECT_EQ(torus.at("rates").at(0), 1);
  EXPECT_EQ(torus.at("rates").at(17), 8);
  EXPECT_FALSE(answer("network torus:4x4").contains("rates"));
  EXPECT_THAT(run("network torus:4x4@2,1").out, HasSubstr("2 on ports 0-3, 1 on ports 4-5"));
  EXPECT_THAT(run("network torus:4x4@0.5").err, HasSubstr("whole multiples, 1 to 64"));
  EXPECT_THAT(run("plan --network ring:8@2 --failed-links 0:1,3-4 --collective alltoall").out,
              HasSubstr("without links 0:1,3:0,3:1"));
}

TEST_F(Cli, explains_what_slow_axes_cost) {
  const std::string plan = "plan --network torus:4x4x4@2,2,1 --collective alltoall --bytes 64KiB --explain";
  EXPECT_THAT(run(plan).out, HasSubstr("slow axes     axis 2 costs"));
  EXPECT_THAT(run("plan --network torus:4x4@2 --collective alltoall --bytes 64KiB --explain").out,
              testing::Not(HasSubstr("slow axes")));
}

}  // namespace
}  // namespace isotrope::app
