// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(Cli, exports_a_network) {
  EXPECT_THAT(run("export ring:4 --format dot").out, StartsWith("graph \"ring:4\" {"));
  EXPECT_THAT(run("export --network ring:4 --format csv").out, StartsWith("node,port,neighbour\n0,0,1\n"));
  EXPECT_THAT(run("export hypercube:2 --format simgrid").out, HasSubstr("<host id=\"n3\""));
}

// The times of the links are those of the machine file, whatever writes them.
TEST_F(Cli, exports_the_links_of_the_machine) {
  write(
      "machine.json",
      R"({"format": "isotrope-machine/1", "startup_s": 3e-6, "byte_time_s": 2e-9, "network": "torus:3x4"})");
  const std::string link = "bw=\"500000000Bps\" lat=\"3e-06s\"";
  EXPECT_THAT(run("export --machine machine.json --format simgrid-cluster").out, HasSubstr(link));
  EXPECT_THAT(run("export --machine machine.json --format simgrid").out,
              HasSubstr("<link id=\"l0_4\" bandwidth=\"500000000Bps\" latency=\"3e-06s\"/>"));
  EXPECT_EQ(run("export --machine machine.json --collective allreduce --bytes 1KiB --format chakra -o traces")
                .status,
            0);
  EXPECT_THAT(text_of("traces/network.yml"), HasSubstr("bandwidth: [ 0.5, 0.5 ]"));
  EXPECT_THAT(text_of("traces/system.json"), HasSubstr("traces/plan"));
  EXPECT_EQ(run("export --network hexmesh:3 --collective allreduce --bytes 1KiB --format chakra -o hexagons")
                .status,
            0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "hexagons" / "network.yml"));
  expect_refusal("export hexmesh:3 --format simgrid-cluster -o refused.json", "it is no torus");
}

TEST_F(Cli, exports_a_plan_made_on_the_spot) {
  const std::string plan = "export --network ring:4 --collective allreduce ";
  EXPECT_THAT(run(plan + "--format goal --bytes 64").out, StartsWith("num_ranks 4\nrank 0 {\n"));
  EXPECT_THAT(run(plan + "--format msccl").out, StartsWith("<algo name=\"allreduce on ring:4\""));
  EXPECT_THAT(run(plan + "--format mscclpp").out,
              StartsWith("{\"name\": \"allreduce on ring:4\", \"collective\": \"allreduce\""));
  EXPECT_THAT(run(plan + "--format dot").out, StartsWith("digraph \"allreduce on ring:4\" {"));
  EXPECT_THAT(run(plan + "--format csv --bytes 64").out, StartsWith("stage,round,from,port,to,"));
  EXPECT_EQ(run(plan + "--format goal --bytes 64 -o plan.goal").out, "");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "plan.goal"));
}

TEST_F(Cli, exports_a_plan_file_as_the_plan) {
  answer("plan --network torus:3x3 --collective alltoall -o plan.json");
  EXPECT_EQ(run("export plan.json --format msccl").out,
            run("export --network torus:3x3 --collective alltoall --format msccl").out);
  EXPECT_EQ(run("export plan.json --format simgrid").out, run("export torus:3x3 --format simgrid").out);
}

TEST_F(Cli, exports_folders_of_traces) {
  const std::string plan = "export --network ring:4 --collective scatter --bytes 64 ";
  EXPECT_EQ(run(plan + "--format ti -o traces").status, 0);
  EXPECT_EQ(run(plan + "--format chakra -o chakra").status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "traces" / "rank-3.txt"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "chakra" / "plan.3.et"));
  std::string first;
  std::ifstream(folder_ / "traces" / "ranks.txt") >> first;
  EXPECT_EQ(first, "traces/rank-0.txt");
  expect_refusal(plan + "--format ti -o traces", "exists already");
  expect_refusal(plan + "--format ti", "-o FOLDER");
}

// Programs are for all nodes, so what is made of them needs every node; the table of hops does not.
TEST_F(Cli, exports_plans_around_failures) {
  const std::string plan = "export --network torus:3x3 --collective broadcast --bytes 64 ";
  EXPECT_EQ(run(plan + "--failed-links 0-1 --format goal").status, 0);
  EXPECT_EQ(run(plan + "--failed-links 0-1 --format msccl").status, 0);
  EXPECT_EQ(run(plan + "--failed-nodes 4 --format csv").status, 0);
  expect_refusal(plan + "--failed-nodes 4 --format goal", "around failed links at most");
  EXPECT_THAT(run("export ring:3 --failed-links 0-1 --format dot").out, testing::Not(HasSubstr("0 -- 1")));
}

TEST_F(Cli, exports_no_invalid_plan) {
  answer("plan --network ring:4 --collective broadcast -o plan.json");
  json plan = json::parse(std::ifstream(folder_ / "plan.json"));
  plan["stages"][0]["hops"].erase(plan["stages"][0]["hops"].size() - 1);
  write("plan.json", plan.dump());
  EXPECT_EQ(run("export plan.json --format msccl -o plan.xml").status, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plan.xml"));
}

TEST_F(Cli, refuses_to_export) {
  const std::string plan = "export --network ring:4 --collective broadcast -o refused.json ";
  expect_refusal(plan,
                 "give --format, one of simgrid, simgrid-cluster, ti, goal, msccl, mscclpp, chakra, dot, "
                 "paths, ppermute, csv");
  expect_refusal(plan + "--format gaol", "did you mean goal? known are simgrid,");
  expect_refusal(plan + "--format goal", "give --bytes");
  expect_refusal(plan + "--format goal --bytes 0", "size '0'");
  expect_refusal(plan + "--format msccl --json", "leave the option out");
  expect_refusal("export --network ring:4 --collective barrier --format msccl -o refused.json", "barrier");
  expect_refusal("export ring:4 --format goal -o refused.json", "for plans only");
  expect_refusal("export ring:4 --format dot --bytes 64 -o refused.json", "only plans have a size");
  expect_refusal("export nowhere.json --format msccl", "nowhere.json");
  expect_refusal("export --network ring:4 --collective broadcast --format dot -o no/where.dot",
                 "no/where.dot");
}

}  // namespace
}  // namespace isotrope::app
