// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans by size on the command line, and machines from files.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* cut_through =
    R"({"format": "isotrope-machine/1", "name": "through", "startup_s": 2e-6, "byte_time_s": 1e-10,
        "ports": "all", "overhead_s": 1e-8, "cut_through": true, "hop_time_s": 5e-8})";
constexpr const char* one_port =
    R"({"format": "isotrope-machine/1", "startup_s": 1e-3, "byte_time_s": 1e-6, "ports": "one"})";

// Over one port of hypercube:5, 100 bytes go whole, 5 rounds of 1.1 ms, and 1 MiB in many packets.
TEST_F(Cli, plans_by_size_for_a_machine) {
  write("one.json", one_port);
  const std::string plan = "plan --network hypercube:5 --collective broadcast --machine one.json --bytes ";
  const json small = answer(plan + "100 -o small.json");
  EXPECT_EQ(small.at("ports"), "one-port");
  EXPECT_EQ(small.at("parts"), 1);
  EXPECT_EQ(small.at("rounds"), 5);
  EXPECT_EQ(small.at("block_bytes"), 100);
  EXPECT_DOUBLE_EQ(small.at("predicted_s").get<double>(), 5 * 1.1e-3);
  EXPECT_FALSE(small.contains("candidates"));
  EXPECT_TRUE(answer("verify small.json").at("valid").get<bool>());

  const json large = answer(plan + "1MiB");
  EXPECT_EQ(large.at("algorithm"), "capped-msbt-broadcast");
  EXPECT_GT(large.at("parts").get<int>(), 50);
  EXPECT_THAT(run(plan + "1MiB").out, AllOf(HasSubstr("predicted"), Not(HasSubstr("candidate"))));
}

// Without start-ups a byte in each segment would be best, of 2^30 bytes too.
TEST_F(Cli, plans_by_size_without_start_ups) {
  const json plan = answer("plan --network mesh:2x3 --collective broadcast --startup 0 --bytes 1GiB");
  EXPECT_TRUE(plan.at("valid").get<bool>());
  EXPECT_LE(plan.at("parts").get<int>(), 1 << 17);
  const double two_links = 0x1p29 * 1e-10;
  EXPECT_NEAR(plan.at("predicted_s").get<double>(), two_links, 0.01 * two_links);
}

// Nothing is sent, whatever it takes.
TEST_F(Cli, bounds_the_time_of_one_node_by_nothing) {
  for (const std::string collective : {"alltoall", "allreduce", "broadcast"}) {
    const json bound = answer("bound --network ring:1 --bytes 64KiB --collective " + collective);
    EXPECT_EQ(bound.at("time_bound").at("seconds").get<double>(), 0) << collective;
  }
}

TEST_F(Cli, explains_its_choice) {
  const std::string plan = "plan --network hypercube:4 --collective scatter --bytes 4KiB --explain";
  EXPECT_THAT(run(plan).out, AllOf(HasSubstr("candidate"), HasSubstr("because"), HasSubstr("time bound"),
                                   HasSubstr("% above the bound")));
  const json found = answer(plan);
  ASSERT_GE(found.at("candidates").size(), 10u);
  EXPECT_EQ(found.at("candidates")[0].at("algorithm"), found.at("algorithm"));
  EXPECT_EQ(found.at("candidates")[0].at("seconds"), found.at("predicted_s"));
  EXPECT_GE(found.at("predicted_s").get<double>(), found.at("time_bound").at("seconds").get<double>());
  for (const json& candidate : found.at("candidates"))
    EXPECT_LE(found.at("predicted_s").get<double>(), candidate.at("seconds").get<double>());
}

TEST_F(Cli, plans_exchanges_over_an_overlay_for_a_cut_through_machine) {
  write("through.json", cut_through);
  const json found = answer(
      "plan --network torus:8x8 --collective alltoall --bytes 64 --machine through.json -o direct.json");
  EXPECT_EQ(found.at("algorithm"), "linear-exchange");
  EXPECT_EQ(found.at("network"), "torus:8x8");
  EXPECT_EQ(found.at("rounds"), 1);
  EXPECT_TRUE(answer("run direct.json --bytes 64").at("correct").get<bool>());
  EXPECT_THAT(run("compare-algorithms --network torus:8x8 --collective alltoall --machine through.json").out,
              HasSubstr("linear-exchange, aggregated"));
}

// What is given one by one goes before the file.
TEST_F(Cli, reads_machines_from_files) {
  write("one.json", one_port);
  const std::string cost = "cost --network hypercube:3 --collective broadcast --bytes 1000 ";
  EXPECT_DOUBLE_EQ(answer(cost + "--machine one.json").at("round_synchronous_s").get<double>(), 3 * 2e-3);
  EXPECT_DOUBLE_EQ(answer(cost + "--machine one.json --startup 2ms").at("round_synchronous_s").get<double>(),
                   3 * 3e-3);
  const json busy = answer(cost + "--machine one.json --overhead 1ms");
  EXPECT_DOUBLE_EQ(busy.at("round_synchronous_s").get<double>(), 3 * 3e-3);
  EXPECT_DOUBLE_EQ(busy.at("overhead_s").get<double>(), 1e-3);
  EXPECT_EQ(answer(cost + "--machine one.json --ports all").at("ports"), "all-port");
}

TEST_F(Cli, plans_by_rounds_without_a_size) {
  const json found = answer("plan --network hypercube:4 --collective broadcast");
  EXPECT_EQ(found.at("parts"), 1);
  EXPECT_EQ(found.at("rounds"), 4);
  EXPECT_FALSE(found.contains("predicted_s"));
}

// The default machine is that of compare-algorithms: 2 us and 0.1 ns. Four packets of 2 bytes take 4 rounds on 16 nodes, as
// one of 8 does.
TEST_F(Cli, plans_by_size_for_the_default_machine) {
  const std::string plan = "plan --network hypercube:4 --collective broadcast --bytes ";
  const json small = answer(plan + "8");
  EXPECT_EQ(small.at("parts"), 4);
  EXPECT_DOUBLE_EQ(small.at("predicted_s").get<double>(), 4 * (2e-6 + 2e-10));
  json default_machine = answer_without_times(plan + "1MiB");
  json given = answer_without_times(plan + "1MiB --startup 2us --byte-time 0.1ns");
  for (json* each : {&default_machine, &given}) {
    EXPECT_NEAR(each->at("predicted_s").get<double>(), 57.3e-6, 0.1e-6);
    each->erase("predicted_s");
  }
  EXPECT_EQ(default_machine, given);
  EXPECT_GT(answer(plan + "1MiB").at("parts").get<int>(), 4);
  EXPECT_THAT(run(plan + "1MiB").out, HasSubstr("2 us per start-up, 0.1 ns per byte"));
  EXPECT_THAT(run(plan + "1MiB").out, HasSubstr(" for vector of 1 MiB, "));
  EXPECT_THAT(run("plan --network hypercube:4 --collective scatter --bytes 4KiB").out,
              HasSubstr(" for blocks of 4 KiB, "));
}

// MPI's count: the vector of an allreduce is N blocks, rounded up to whole bytes.
TEST_F(Cli, counts_the_vector_of_an_allreduce) {
  const json planned = answer("plan --network ring:6 --collective allreduce --bytes 1000");
  EXPECT_EQ(planned.at("bytes"), 1000);
  EXPECT_EQ(planned.at("block_bytes"), 167);
  const json compared =
      answer("compare-algorithms --network ring:6 --collective allreduce --from 600 --upto 1200");
  EXPECT_EQ(compared.at("bytes"), json({600, 1200}));
  const json ran = answer("run --network ring:6 --collective allreduce --bytes 960 --type double");
  EXPECT_EQ(ran.at("bytes"), 960);
  EXPECT_EQ(ran.at("block_bytes"), 160);
  const json cost = answer("cost --network ring:6 --collective allreduce --bytes 1000");
  EXPECT_EQ(cost.at("block_bytes"), 167);
  EXPECT_EQ(answer("plan --network ring:6 --collective reduce --bytes 1000").at("block_bytes"), 1000);
  EXPECT_EQ(answer("plan --network ring:6 --collective alltoall --bytes 1000").at("block_bytes"), 1000);
}

// A vector that is not cut is the block.
TEST_F(Cli, counts_the_vector_of_an_allreduce_that_is_not_cut) {
  answer(
      "plan --network ring:6 --collective allreduce --failed-links 0-1 --algorithm surviving-tree-allreduce "
      "-o around.json");
  EXPECT_EQ(answer("run around.json --bytes 1000").at("block_bytes"), 1000);
  EXPECT_EQ(answer("cost around.json --bytes 1000").at("block_bytes"), 1000);
}

TEST_F(Cli, keeps_what_is_given_beside_a_machine) {
  const std::string plan = "plan --network hypercube:4 --collective broadcast --bytes 60KiB --startup 1us ";
  EXPECT_EQ(answer(plan + "--parts 7").at("parts"), 7);
  EXPECT_EQ(answer(plan + "--packet 1KiB").at("parts"), 60);
  EXPECT_EQ(answer(plan + "--algorithm hamiltonian-path-broadcast").at("algorithm"),
            "hamiltonian-path-broadcast");
}

TEST_F(Cli, refuses_bad_choices) {
  write("one.json", one_port);
  write("three.json", R"({"format": "isotrope-machine/1", "startup_s": 1, "byte_time_s": 1, "ports": 3})");
  write("bad.json", R"({"format": "isotrope-machine/1", "startup_s": -1, "byte_time_s": 1})");
  answer("plan --network hypercube:3 --collective broadcast -o made.json");
  const std::string plan = "plan --network ring:8 --collective broadcast -o refused.json ";
  expect_refusal(plan + "--explain", "--explain requires --bytes");
  expect_refusal(plan + "--startup 1us", "--startup requires --bytes");
  expect_refusal(plan + "--bytes 1KiB --machine none.json", "none.json: cannot open this file");
  expect_refusal(plan + "--bytes 1KiB --machine bad.json", "bad.json: \"startup_s\": -1: give seconds");
  expect_refusal(plan + "--bytes 1KiB --machine three.json", "from 1 to 2");
  expect_refusal(plan + "--bytes 1KiB --overhead fast", "--overhead fast: give a time of 0 to 1e9 seconds");
  expect_refusal(plan + "--bytes 1KiB --explain --algorithm linear-exchange", "no cut-through");
  expect_refusal("plan made.json --bytes 1KiB --explain", "--explain beside the plan file made.json");
  expect_refusal("plan made.json --bytes 1KiB --machine one.json",
                 "a machine beside the plan file made.json");
  expect_refusal("plan made.json --bytes 1KiB", "--bytes beside the plan file made.json");
}

}  // namespace
}  // namespace isotrope::app
