// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of unequal sizes on the command line: --counts.
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

// Blocks of 0 to 5 times `unit` bytes between all nodes.
std::string matrix(int nodes, int unit) {
  std::string text = "# source, destination, bytes\n";
  for (int from = 0; from < nodes; ++from) {
    for (int to = 0; to < nodes; ++to)
      text += fmt::format("{} {} {}\n", from, to, (from * 5 + to * 3) % 6 * unit);
  }
  return text;
}

TEST_F(Cli, plans_and_verifies_unequal_blocks) {
  write("all.txt", matrix(16, 1000));
  write("few.txt", "0 1 5000\n2 3 1\n5 0 9999\n");
  for (const char* names :
       {"torus:4x4 --counts all.txt", "hypercube:4 --counts all.txt", "mesh:4x4 --counts all.txt",
        "line:16 --counts all.txt", "hexmesh:2 --failed-nodes 6 --counts few.txt"}) {
    const json plan = answer(std::string("plan --packet 1000 -o plan.json --network ") + names);
    EXPECT_TRUE(plan.at("valid").get<bool>()) << names;
    EXPECT_EQ(plan.at("bytes"), 1000);
    // No schedule takes fewer rounds of packets than the bytes of the busiest link fill.
    EXPECT_GE(plan.at("rounds").get<double>() * 1000, plan.at("counts").at("link_bytes").get<double>());
    EXPECT_TRUE(answer("verify plan.json").at("claims_hold").get<bool>()) << names;
    EXPECT_TRUE(answer("run plan.json --bytes 1000").at("correct").get<bool>()) << names;
  }
}

TEST_F(Cli, cuts_unequal_blocks_into_whole_packets) {
  write("counts.txt", "0 1 1\n0 2 1000\n0 3 1001\n1 1 70000\n2 0 0\n");
  const std::string plan = "plan --network complete:4 --counts counts.txt ";
  const json cut = answer(plan + "--packet 1000");
  EXPECT_EQ(cut.at("transmissions"), 1 + 1 + 2);  // nothing of a node for itself
  EXPECT_EQ(cut.at("counts").at("bytes"), 2002);
  EXPECT_EQ(cut.at("counts").at("blocks"), 3);
  EXPECT_EQ(cut.at("counts").at("collective"), "alltoallv");
  EXPECT_EQ(answer(plan).at("bytes"), 4096);
  // So many packets at most that planning takes seconds.
  write("counts.txt", "0 1 1000000000000\n2 3 1\n");
  const json large = answer(plan);
  EXPECT_LE(large.at("transmissions").get<std::uint64_t>(), (std::uint64_t{1} << 16) + 2);
  EXPECT_GT(large.at("transmissions").get<std::uint64_t>(), std::uint64_t{1} << 15);
  expect_refusal(plan + "--packet 1KiB", "give --packet 4194304 or more");
}

// Where messages are dear, packets go together, in the least rounds; where bytes are, one by one.
TEST_F(Cli, merges_packets_of_unequal_blocks_if_messages_cost) {
  write("counts.txt", matrix(16, 1000));
  for (const char* network : {"torus:4x4", "hypercube:4", "mesh:4x4", "circulant:16:1,3"}) {
    const std::string plan =
        std::string("plan --network ") + network + " --counts counts.txt --byte-time 1ns ";
    const json merged = answer(plan + "--startup 1ms -o merged.json"),
               single = answer(plan + "--startup 0 --merge 1");
    EXPECT_LT(merged.at("rounds"), single.at("rounds")) << network;
    EXPECT_TRUE(merged.at("optimal").get<bool>()) << network;
    EXPECT_TRUE(answer("verify merged.json").at("claims_hold").get<bool>()) << network;
    EXPECT_TRUE(answer("run merged.json --bytes 100").at("correct").get<bool>()) << network;
  }
}

TEST_F(Cli, bounds_unequal_blocks_in_bytes) {
  write("counts.txt", "0 1 600\n0 2 300\n");
  EXPECT_EQ(answer("bound --network ring:4 --counts counts.txt").at("link_bytes"), 450);
  EXPECT_EQ(answer("bound --network ring:4 --collective scatterv --counts counts.txt").at("link_bytes"), 450);
  write("nodes.txt", "0 100\n1 500\n2 100\n3 100\n");
  for (const char* collective : {"allgatherv", "reduce-scatter"}) {
    const json bound =
        answer(std::string("bound --network ring:4 --counts nodes.txt --collective ") + collective);
    EXPECT_EQ(bound.at("link_bytes"), 350) << collective;
    EXPECT_EQ(bound.at("bytes"), 800);
  }
  EXPECT_THAT(run("bound --network ring:4 --counts counts.txt").out,
              HasSubstr("450 at least over the busiest link"));
}

TEST_F(Cli, plans_unequal_blocks_of_a_root) {
  write("counts.txt", "1 0 600\n1 2 300\n");
  const json scatter = answer("plan --network ring:4 --collective scatterv --root 1 --counts counts.txt");
  EXPECT_EQ(scatter.at("counts").at("collective"), "scatterv");
  expect_refusal(
      "plan --network ring:4 --collective scatterv --counts counts.txt",
      "a block from 1 to 0, but the root of the scatterv is 0; give --root, or --collective alltoallv");
  expect_refusal("plan --network ring:4 --collective gatherv --root 0 --counts counts.txt",
                 "a block from 1 to 2");
  expect_refusal("plan --network ring:4 --root 1 --counts counts.txt", "alltoallv has no root");
  expect_refusal("plan --network ring:4 --collective gatherv --root 4 --counts counts.txt",
                 "the nodes of ring:4 are 0..3");
}

TEST_F(Cli, refuses_counts_that_make_no_sense) {
  write("counts.txt", "0 1 600\n");
  write("nodes.txt", "0 100\n");
  write("none.txt", "0 1 0\n2 2 5\n");
  write("outside.txt", "0 4 1\n");
  write("negative.txt", "0 1 -1\n");
  write("huge.txt", "0 1 4611686018427387904\n0 2 1\n");
  const std::string plan = "plan --network ring:4 --counts ";
  expect_refusal(plan + "nodes.txt", "nodes.txt:1: give source, destination and bytes");
  expect_refusal(plan + "none.txt", "no block of 1 byte or more");
  expect_refusal(plan + "outside.txt", "outside.txt:1: node 4 is outside ring:4");
  expect_refusal(plan + "negative.txt", "'-1' is no number from 0 to 4611686018427387904");
  expect_refusal(plan + "huge.txt", "huge.txt:2: more than 4611686018427387904 bytes in all");
  expect_refusal(plan + "missing.txt", "missing.txt: cannot open");
  expect_refusal(plan + "counts.txt --bytes 8", "excludes");
  expect_refusal(plan + "counts.txt --parts 2", "excludes");
  expect_refusal(plan + "counts.txt --failed-nodes 1", "node 1 has failed, and has a block");
  expect_refusal(plan + "counts.txt --collective alltoall", "collective alltoall has blocks of one size");
  expect_refusal(plan + "nodes.txt --collective allgatherv", "`isotrope bound --counts nodes.txt` bounds it");
  expect_refusal("plan --network ring:4 --collective alltoallv", "as --counts FILE");
  expect_refusal("run --network ring:4 --collective allgatherv --bytes 8", "as --counts FILE");
  expect_refusal("plan --network ring:4 --collective alltoall --packet 8",
                 "--packet requires --bytes or --counts");
  expect_refusal("bound --network ring:4 --counts counts.txt --ports one", "--ports beside --counts");
  expect_refusal("bound --network ring:4 --counts counts.txt --failed-links 0-1,2-3",
                 "cut nodes 1,2 off from node 0");
  expect_refusal("bench --network ring:4 --counts counts.txt --upto 8", "--upto excludes --counts");
  expect_refusal("bench --network ring:4 --collective gather --root 1", "--root requires --counts");
  run("plan --network ring:4 --collective alltoall -o plan.json");
  expect_refusal("bound plan.json --counts counts.txt", "--counts counts.txt beside the plan file plan.json");
}

}  // namespace
}  // namespace isotrope::app
