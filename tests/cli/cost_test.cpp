// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets, costs and comparisons on the command line, and what the papers print.
#include <fstream>
#include <sstream>

#include "tests/cli/cli.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(Cli, cuts_blocks_into_packets) {
  const json by_size = answer(
      "plan --network hypercube:6 --collective broadcast --ports half --algorithm "
      "msbt-broadcast --bytes 60KiB --packet 1KiB");
  EXPECT_EQ(by_size.at("parts"), 60);
  EXPECT_EQ(by_size.at("rounds"), 2 * 60 + 6 - 1);
  const json by_number = answer(
      "plan --network hypercube:6 --collective broadcast --ports half --algorithm "
      "msbt-broadcast --packets 60");
  EXPECT_EQ(by_number.at("rounds"), by_size.at("rounds"));
}

TEST_F(Cli, merges_blocks_into_packets) {
  const json merged = answer(
      "plan --network hypercube:6 --collective scatter --ports one --bytes 1KiB --packet "
      "8KiB -o merged.json");
  EXPECT_EQ(merged.at("rounds"), 8 + 3 - 1);
  EXPECT_TRUE(merged.at("aggregated").get<bool>());
  EXPECT_TRUE(answer("verify merged.json").at("claims_hold").get<bool>());
  EXPECT_TRUE(answer("run merged.json --bytes 100").at("correct").get<bool>());
  EXPECT_EQ(answer("plan --network hypercube:6 --collective gather --ports one --merge all").at("rounds"), 6);
  EXPECT_EQ(answer("plan --network hypercube:5 --collective scatter --ports one --order cyclic-preorder "
                   "--algorithm balanced-spanning-tree-scatter")
                .at("rounds"),
            32);
}

// (60 + 6) rounds of 1 ms + 1024 us.
TEST_F(Cli, predicts_the_cost_of_a_plan) {
  const std::string plan =
      "cost --network hypercube:6 --collective broadcast --ports one --algorithm msbt-broadcast --bytes "
      "60KiB "
      "--packet 1KiB --startup 1ms --byte-time 1us";
  const json found = answer(plan);
  EXPECT_EQ(found.at("rounds"), 66);
  EXPECT_DOUBLE_EQ(found.at("round_synchronous_s").get<double>(), 66 * 2.024e-3);
  EXPECT_NEAR(found.at("completion_s").get<double>(), 66 * 2.024e-3, 1e-12);
  EXPECT_EQ(found.at("messages"), 63 * 60);
  EXPECT_LT(answer(plan + " --overlap 0.2").at("completion_s").get<double>(), 66 * 2.024e-3);
  EXPECT_THAT(run(plan).out, HasSubstr("synchronous"));
}

TEST_F(Cli, compares_algorithms) {
  const std::string command = "compare-algorithms --network hypercube:5 --collective broadcast --ports one";
  const json found = answer(command + " --from 1KiB --upto 4MiB");
  EXPECT_EQ(found.at("bytes").size(), 13u);
  ASSERT_GE(found.at("crossovers").size(), 1u);
  EXPECT_EQ(found.at("crossovers")[0].at("slower"), "binomial-tree-broadcast");
  EXPECT_THAT(run(command).out, HasSubstr("capped-msbt-broadcast is faster than binomial-tree-broadcast"));

  EXPECT_EQ(found.at("bound_seconds").size(), 13u);

  EXPECT_EQ(run(command + " -o times.svg").status, 0);
  EXPECT_THAT(contents(folder_ / "times.svg"),
              testing::AllOf(testing::StartsWith("<svg"), HasSubstr("lower bound"),
                             HasSubstr("bus bandwidth (GB/s)"), HasSubstr("not shown: ")));
  EXPECT_EQ(run(command + " -o times.csv").status, 0);
  EXPECT_THAT(contents(folder_ / "times.csv"), HasSubstr("msbt-broadcast"));
  EXPECT_THAT(run("compare-algorithms ring:8 --collective allreduce").out,
              HasSubstr("layer-by-layer-allreduce, aggregated = axis-by-axis-allreduce, aggregated"));
  EXPECT_EQ(run("compare-algorithms torus:9x9 --collective allreduce --associative --upto 1KiB").status, 0);
}

// In a picture; a table keeps curves apart that differ at all.
TEST_F(Cli, joins_curves_that_look_alike) {
  const std::string command = "compare-algorithms torus:8x8x8 --collective alltoall -o times";
  EXPECT_EQ(run(command + ".svg").status, 0);
  EXPECT_EQ(run(command + ".csv").status, 0);
  EXPECT_THAT(
      contents(folder_ / "times.svg"),
      testing::AllOf(HasSubstr("equitable-exchange, aggregated \u2248 axis-by-axis-exchange, aggregated"),
                     HasSubstr("within 3 % at all sizes"), HasSubstr("stroke-dasharray='2 3'")));
  EXPECT_THAT(contents(folder_ / "times.csv"), testing::Not(HasSubstr("\u2248")));
}

TEST_F(Cli, reproduces_the_papers) {
  if (is_sanitized) GTEST_SKIP() << "it takes long under sanitizers, and Exhibits.* computes the same";
  const json found = answer("reproduce --all");
  EXPECT_EQ(found.at("unexplained"), 0);
  EXPECT_GT(found.at("equal").get<int>(), 500);
  EXPECT_EQ(found.at("exhibits").size(), 15u);
  EXPECT_THAT(run("reproduce").out, HasSubstr("ho-johnsson-figure-7"));
  EXPECT_THAT(run("reproduce ho-johnsson-table-2").out, HasSubstr("2 (3 a)"));

  EXPECT_EQ(run("reproduce --all -o papers").status, 0);
  for (const char* file : {"ho-johnsson-table-3.txt", "ho-johnsson-figure-5.csv", "ho-johnsson-figure-8.svg"})
    EXPECT_GT(std::filesystem::file_size(folder_ / "papers" / file), 200u) << file;
}

TEST_F(Cli, refuses_bad_packets_orders_and_merges) {
  const std::string cube = "plan --network hypercube:4 -o refused.json --collective ";
  expect_refusal(cube + "broadcast --bytes 1KiB --packet 2KiB", "give at most --packet 1024");
  expect_refusal(cube + "scatter --bytes 1KiB --packet 16KiB", "larger than the message of 15 KiB");
  expect_refusal(cube + "broadcast --bytes 1KiB --packet 0", "size '0'");
  expect_refusal(cube + "broadcast --packets 0", "0 parts");
  expect_refusal(cube + "broadcast --packet 1KiB", "--packet requires --bytes");
  expect_refusal(cube + "broadcast --bytes 1KiB --packet 10 --packets 3", "--parts excludes --packet");
  expect_refusal(cube + "scatter --order postordr", "did you mean postorder");
  expect_refusal(cube + "scatter --merge 0", "1 or more");
  expect_refusal("plan --network hexmesh:3 -o refused.json --collective neighborhood:1:2 --merge all",
                 "that aggregates packets");
  expect_refusal(cube + "broadcast --ports 2 --algorithm msbt-broadcast", "ports: all, one, half");
}

TEST_F(Cli, refuses_bad_machines) {
  const std::string command =
      "cost --network hypercube:4 --collective broadcast --bytes 1KiB -o refused.json ";
  for (const std::string time : {"-1", "nan", "inf", "fast", "1min", "1e10"}) {
    expect_refusal(command + "--startup=" + time, "--startup " + time + ": give a time of 0 to 1e9 seconds");
    expect_refusal(command + "--byte-time=" + time,
                   "--byte-time " + time + ": give a time of 0 to 1e9 seconds");
  }
  expect_refusal(command + "--overlap 1.5", "from 0 to 1");
  expect_refusal(command + "--overlap nan", "from 0 to 1");
  expect_refusal(command + "--internal-packet 0", "size '0'");
  expect_refusal("compare-algorithms --network hypercube:4 --collective broadcast --from 2KiB --upto 1KiB",
                 "ascending order");
  expect_refusal("compare-algorithms --network hypercube:13 --collective alltoall --ports half",
                 "no algorithm for alltoall");
  expect_refusal("reproduce ho-johnson-table-3", "did you mean ho-johnsson-table-3");
  expect_refusal("reproduce ho-johnsson-table-3 --all", "give one of them");
}

}  // namespace
}  // namespace isotrope::app
