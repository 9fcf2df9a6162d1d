// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks of neighbourhoods and files, online routing, and the table of optimality on the command line.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/cli/cli.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

TEST_F(Cli, plans_every_collective_on_other_networks) {
  for (const char* network : {"torus:3x4", "hexmesh:3", "twisted-torus:2x2x4", "circulant:13:1,5"}) {
    for (const char* collective :
         {"alltoall", "allgather", "scatter", "neighborhood:1:2", "allreduce", "barrier"}) {
      const std::string names = std::string("--network ") + network + " --collective " + collective;
      EXPECT_TRUE(answer("plan " + names + " -o plan.cbor").at("valid").get<bool>()) << names;
      EXPECT_TRUE(answer("verify plan.cbor").at("claims_hold").get<bool>()) << names;
    }
  }
  EXPECT_EQ(answer("plan --network torus:3x4 --collective alltoall").at("rounds"), 6);
  EXPECT_EQ(answer("plan --network hypercube:4 --collective alltoall --ports 3").at("rounds"), 11);
}

TEST_F(Cli, plans_tasks_from_files) {
  write("halo.txt", "# the four neighbours\n1 4\n4 4\n5 4\n20 4\n");
  const json halo = answer("plan --network torus:5x5 --collective isotropic:halo.txt -o halo.json");
  EXPECT_EQ(halo.at("rounds"), 4);
  EXPECT_TRUE(halo.at("optimal").get<bool>());
  EXPECT_TRUE(answer("verify halo.json").at("optimal").get<bool>());
  EXPECT_TRUE(answer("run halo.json --bytes 100").at("correct").get<bool>());

  write("task.txt", "0 3 5\n2 1 1\n");
  const json task = answer("plan --network ring:6 --collective task:task.txt -o task.json");
  EXPECT_EQ(task.at("bound").at("value"), 5);
  EXPECT_TRUE(answer("verify task.json").at("claims_hold").get<bool>());
  EXPECT_TRUE(answer("run task.json --bytes 100").at("correct").get<bool>());
  EXPECT_EQ(answer("bound --network ring:6 --collective task:task.txt").at("bound").at("kind"), "distance");
}

TEST_F(Cli, lowers_the_mean_delay) {
  const json least =
      answer("plan --network hypercube:5 --collective alltoall --objective delay -o delay.json");
  EXPECT_EQ(least.at("rounds"), 16);
  const json found = answer("verify delay.json");
  EXPECT_DOUBLE_EQ(found.at("mean_delay").get<double>(), 235.0 / 31);
  EXPECT_THAT(run("plan --network hypercube:5 --collective alltoall").out,
              HasSubstr("no schedule has less than 7.58"));
  expect_refusal("plan --network hypercube:5 --collective scatter --objective delay", "that looks at delays");
  expect_refusal("plan --network hypercube:5 --collective alltoall --objective speed",
                 "completion, delay or no-wait");
}

TEST_F(Cli, plans_exchanges_without_waiting) {
  const json found =
      answer("plan --network twisted-torus:4x4x8 --collective alltoall --objective no-wait -o plan.json");
  EXPECT_EQ(found.at("rounds"), 74);
  EXPECT_EQ(found.at("waiting"), false);
  EXPECT_TRUE(answer("verify plan.json").at("optimal").get<bool>());
  EXPECT_TRUE(answer("run plan.json --bytes 100").at("correct").get<bool>());
  EXPECT_EQ(answer("plan --network ring:5 --collective alltoall --parts 3 --objective no-wait").at("rounds"),
            9);
  EXPECT_THAT(run("plan --network torus:5x5 --collective alltoall --objective no-wait").out,
              HasSubstr("nothing is in flight after 5 of the rounds"));
  expect_refusal("plan --network hypercube:5 --collective scatter --objective no-wait",
                 "whose packets never wait");
  expect_refusal("plan --network hypercube:5 --collective alltoall --ports one --objective no-wait",
                 "uses all ports at once");
  expect_refusal(
      "plan --network hypercube:3 --collective alltoall --algorithm total-exchange --objective no-wait",
      "its packets wait");
  expect_refusal("verify plan.json --objective no-wait",
                 "--objective no-wait beside the plan file plan.json");
}

// Without the objective a schedule without waiting is a plan like others.
TEST_F(Cli, takes_a_schedule_without_waiting_where_it_has_fewer_rounds) {
  const json found = answer("plan --network twisted-torus:3x3x6 --collective alltoall");
  EXPECT_EQ(found.at("rounds"), 23);
  EXPECT_EQ(found.at("algorithm"), "no-wait-total-exchange");
  EXPECT_FALSE(found.contains("waiting"));
}

TEST_F(Cli, plans_packed_steps) {
  const json found =
      answer("plan --network twisted-torus:4x4x8 --collective alltoall --pack 6,3 -o plan.json").at("steps");
  EXPECT_EQ(found.at("count"), 25);
  EXPECT_EQ(found.at("bound"), 25);
  EXPECT_EQ(found.at("sum_of_loads"), 74);
  EXPECT_EQ(found.at("sum_of_loads_bound"), 74);
  EXPECT_EQ(answer("verify plan.json").at("steps"), found);
  EXPECT_TRUE(answer("run plan.json --bytes 100").at("correct").get<bool>());
  expect_refusal("plan --network torus:9x9 --collective alltoall --pack 6,3",
                 "give a load of at least 4, not 3");
  expect_refusal("plan --network torus:4x4 --collective allgather --pack 6,3", "in packed steps");
  expect_refusal("plan --network torus:4x4 --collective alltoall --pack 6", "give two numbers");
  expect_refusal("plan --network torus:4x4 --collective alltoall --pack 6,0", "give 1 to 4294967295");
  expect_refusal("plan --network torus:4x4 --collective alltoall --pack 6,3 --objective no-wait",
                 "its packets wait at nodes");
}

TEST_F(Cli, simulates_online_routing) {
  const json found = answer("simulate --network hypercube:5 --collective alltoall --runs 5");
  EXPECT_EQ(found.at("rounds").at("largest"), 16);
  EXPECT_EQ(found.at("bound").at("value"), 16);
  const std::string random =
      "simulate --network torus:3x3 --collective alltoall --policy symmetric-random --runs 20 --seed 7";
  EXPECT_LE(answer(random).at("rounds").at("largest"), 4);
  EXPECT_EQ(run(random).out, run(random).out);
  EXPECT_THAT(run(random).out, HasSubstr("+-"));
}

TEST_F(Cli, tables_where_plans_are_optimal) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  const json found = answer("optimality torus:4x4 ring:9");
  EXPECT_GT(found.at("planned").get<int>(), 200);
  EXPECT_GT(found.at("optimal").get<int>(), 0.7 * found.at("planned").get<int>());
  EXPECT_EQ(found.at("refused"), 0);
  expect_refusal("optimality torus:4y4", "torus:4y4");
}

// The section of a network, up to the next heading.
std::string section(const std::string& page, const std::string& network) {
  const std::size_t begin = page.find("### " + network + "\n");
  return begin == std::string::npos ? "" : page.substr(begin, page.find("\n#", begin) - begin);
}

// The page in docs/ is what the program prints. `make check-all` compares all of it.
TEST_F(Cli, documents_where_plans_are_optimal) {
  if (is_sanitized) GTEST_SKIP() << "its searches take long under sanitizers";
  std::ifstream page(ISOTROPE_DOCS "/optimality.md");
  const std::string documented{std::istreambuf_iterator<char>(page), {}};
  const std::vector<std::string> networks{"hypercube:3", "ring:8",    "complete:13", "torus:3x4",
                                          "hexmesh:3",   "torus:4x4", "hypercube:5"};
  const std::string printed = run("optimality " + fmt::to_string(fmt::join(networks, " "))).out + "\n#";
  for (const std::string& network : networks) {
    EXPECT_NE(section(documented, network), "") << network;
    EXPECT_EQ(section(printed, network), section(documented, network))
        << "run `isotrope optimality -o docs/optimality.md`";
  }
}

TEST_F(Cli, refuses_bad_tasks) {
  write("bad.txt", "0 1 2\n1 2 1\n2 0 2\n");
  const std::string ring = " --network ring:3 -o refused.json --collective ";
  expect_refusal("plan" + ring + "isotropic:bad.txt",
                 "not isotropic: 2 blocks from 0 to 1, but 1 from 1 to 2");
  write("bad.txt", "5 1\n");
  expect_refusal("plan" + ring + "isotropic:bad.txt", "bad.txt:1: node 5 is outside ring:3");
  write("bad.txt", "1 -1\n");
  expect_refusal("plan" + ring + "isotropic:bad.txt", "'-1' is no number");
  write("bad.txt", "# nothing\n");
  expect_refusal("plan" + ring + "task:bad.txt", "the task has no blocks");
  expect_refusal("plan" + ring + "task:nowhere.txt", "nowhere.txt: cannot open this file");
  expect_refusal("plan" + ring + "isotropic", "give isotropic:FILE");
  expect_refusal("plan" + ring + "neighborhood:2:1", "1 <= K <= L");
  expect_refusal("plan" + ring + "alltoall --ports 3", "ports");
  expect_refusal("simulate --network ring:3 --collective broadcast", "give alltoall, neighborhood:K:L");
  expect_refusal("simulate --network ring:3 --collective alltoall --policy fifo", "unknown");
  expect_refusal("simulate --network ring:3 --collective alltoall --runs 0", "give 1 to");
}

}  // namespace
}  // namespace isotrope::app
