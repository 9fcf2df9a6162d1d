// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Link classes of machine files and of network files on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class LinkClasses : public Cli {
 protected:
  LinkClasses() {
    write("even.json",
          R"({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-10, "ports": "all"})");
    write("half.json",
          R"({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-10, "ports": "all",
                           "link_classes": [{"axes": [1], "byte_time_s": 2e-10}]})");
    write("path.json",
          R"({"nodes": 3, "links": [[0, 1, "long"], [1, 2]], "classes": {"long": {"latency_s": 9e-6}}})");
  }
};

// A half-rate axis costs no more than its share: the links are planned with rates 2 and 1.
TEST_F(LinkClasses, of_a_slow_axis_are_planned_with_rates) {
  for (const char* collective : {"alltoall", "allgather", "scatter", "broadcast", "allreduce"}) {
    const std::string arguments =
        std::string("plan --network torus:4x4 --bytes 4MiB --collective ") + collective;
    const json half = answer(arguments + " --machine half.json -o half-plan.json");
    const json even = answer(arguments + " --machine even.json --explain");
    EXPECT_TRUE(half.at("valid").get<bool>()) << collective;
    // Aggregated messages need no rates where the slow axis has the most to carry.
    const bool merges = collective == std::string("alltoall");
    EXPECT_EQ(half.at("network"), merges ? "torus:4x4" : "torus:4x4@2,1") << collective;
    const double seconds = half.at("predicted_s"), bound = half.at("time_bound").at("seconds");
    EXPECT_GE(seconds, bound * (1 - 1e-12)) << collective;
    EXPECT_GE(half.at("completion_s").get<double>() / seconds, 0.5) << collective;
    EXPECT_LE(half.at("completion_s"), seconds * (1 + 1e-12)) << collective;
    EXPECT_GT(bound, even.at("time_bound").at("seconds").get<double>()) << collective;

    // The same plan from its file has the same times: those of whole links, whatever the rates in its name.
    const json cost = answer("cost half-plan.json --machine half.json --bytes 4MiB");
    EXPECT_NEAR(cost.at("round_synchronous_s").get<double>() / seconds, 1, 1e-3) << collective;
    EXPECT_NEAR(cost.at("completion_s").get<double>() / half.at("completion_s").get<double>(), 1, 1e-9)
        << collective;
    EXPECT_NEAR(cost.at("bound_s").get<double>() / bound, 1, 1e-9) << collective;
  }
}

TEST_F(LinkClasses, are_explained) {
  const std::string arguments = "--network torus:4x4 --collective alltoall --bytes 1MiB ";
  const std::string plan = run("plan " + arguments + "--machine half.json --explain").out;
  EXPECT_THAT(plan, HasSubstr("0.1 ns per byte, along axis 1 0.2 ns per byte"));
  EXPECT_THAT(plan, HasSubstr("completion "));
  EXPECT_THAT(plan, HasSubstr("link classes  axis 1: "));
  EXPECT_THAT(run("cost " + arguments + "--machine half.json").out, HasSubstr("time bound"));
  EXPECT_THAT(run("cost " + arguments + "--machine even.json").out, Not(HasSubstr("time bound")));
  EXPECT_THAT(run("compare-algorithms --network torus:4x4 --collective alltoall --machine half.json").out,
              HasSubstr("torus:4x4@2,1"));
  EXPECT_THAT(run("plan --network ring:8 --collective alltoall --bytes 8 --machine half.json").err,
              HasSubstr("a link class of axis 1: ring:8 has the axes 0 to 0"));
}

TEST_F(LinkClasses, that_do_not_count_are_named) {
  const std::string alltoall = " --network torus:4x4 --collective alltoall --machine ";
  for (const char* command : {"bound", "simulate"}) {
    EXPECT_THAT(run(command + alltoall + "half.json").out,
                HasSubstr("link classes  rounds count them alike"));
    EXPECT_THAT(run(command + alltoall + "even.json").out, Not(HasSubstr("link classes")));
    EXPECT_THAT(run(std::string(command) + " --network path.json --collective alltoall").out,
                HasSubstr("link classes  rounds count them alike"));
    EXPECT_THAT(run(command + alltoall + "half.json --bytes 1KiB").out,
                Not(HasSubstr("rounds count them alike")));
  }
}

// The bound of `bound` is that of `plan`.
TEST_F(LinkClasses, are_bounded_in_seconds) {
  for (const std::string& machine : {std::string("half.json"), std::string("even.json")}) {
    for (const char* collective : {"alltoall", "broadcast", "allreduce", "barrier"}) {
      const std::string arguments = std::string(" --network torus:4x4 --bytes 64KiB --collective ") +
                                    collective + " --machine " + machine;
      const json bound = answer("bound" + arguments), plan = answer("plan --explain" + arguments);
      for (const char* part : {"seconds", "rounds", "rounds_because"})
        EXPECT_EQ(bound.at("time_bound").at(part), plan.at("time_bound").at(part))
            << machine << " " << collective;
      EXPECT_EQ(bound.at("bytes"), 65536);
      EXPECT_THAT(run("bound" + arguments).out, HasSubstr("  time bound    "));
    }
  }
  EXPECT_THAT(run("bound --network torus:4x4 --collective alltoall --bytes 1KiB --machine half.json").out,
              HasSubstr("link classes  axis 1: "));
  EXPECT_THAT(run("bound --network path.json --collective alltoall --bytes 1KiB").out,
              HasSubstr("link classes  times of single links: "));
  expect_refusal("bound --network ring:8 --collective alltoall --startup 1us", "--bytes");
  expect_refusal("bound --network ring:8 --collective alltoall --bytes 8 --machine half.json",
                 "a link class of axis 1: ring:8 has the axes 0 to 0");
}

// 16 nodes, axis 1 twice as slow by its bytes: 64 packets' time of half of the links.
TEST_F(LinkClasses, are_simulated) {
  const std::string alltoall = "simulate --network torus:4x4 --collective alltoall --runs 3";
  const json rounds = answer(alltoall);
  const json even = answer(alltoall + " --bytes 64KiB --machine even.json");
  const double packet_s = 1e-6 + 65536 * 1e-10;
  EXPECT_NEAR(even.at("completion_s").at("mean").get<double>() / packet_s,
              rounds.at("rounds").at("mean").get<double>(), 1e-6);
  EXPECT_NEAR(even.at("bound_s").get<double>() / packet_s, rounds.at("bound").at("value").get<double>(),
              1e-6);
  const json half = answer(alltoall + " --bytes 64KiB --machine half.json");
  EXPECT_GT(half.at("bound_s").get<double>(), 1.5 * even.at("bound_s").get<double>());
  EXPECT_GE(half.at("completion_s").at("smallest").get<double>(),
            half.at("bound_s").get<double>() * (1 - 1e-9));
  EXPECT_THAT(run(alltoall + " --bytes 64KiB --machine half.json").out,
              HasSubstr("for single packets by any algorithm"));
  // Two packets over the link of 9 us.
  const json path = answer("simulate --network path.json --collective alltoall --bytes 1000 --runs 1");
  EXPECT_NEAR(path.at("completion_s").at("mean").get<double>(), 18.2e-6, 1e-12);
  write("lanes.json",
        R"({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-10, "ranks_per_node": 2})");
  expect_refusal(alltoall + " --bytes 1KiB --machine lanes.json", "several ranks a node");
  expect_refusal(alltoall + " --bytes 1KiB --startup 0us --byte-time 0ns", "give links a start-up");
}

// Overlays and pipelines are candidates beside links of several classes, but not for several ranks a node.
TEST_F(LinkClasses, are_priced_on_cut_through_machines) {
  const std::string times = R"("format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-10,
                               "ports": "all", "cut_through": true, "hop_time_s": 1e-7)";
  write("through.json", "{" + times + R"(, "link_classes": [{"axes": [1], "byte_time_s": 2e-10}]})");
  write("shared.json", "{" + times + R"(, "ranks_per_node": 2})");
  const std::string torus = "plan --network torus:4x4 --collective ";
  const std::string small = run(torus + "alltoall --bytes 64 --explain --machine through.json").out;
  EXPECT_THAT(small, HasSubstr("chosen        linear-exchange"));
  EXPECT_THAT(small, Not(HasSubstr("not considered")));
  const json large = answer(torus + "broadcast --bytes 64MiB --explain --machine through.json");
  EXPECT_EQ(large.at("network"), "torus:4x4@2,1");
  EXPECT_GT(large.at("candidates").at(0).at("window").get<int>(), 1);
  EXPECT_FALSE(large.contains("completion_s"));
  EXPECT_THAT(run(torus + "alltoall --bytes 1MiB --machine shared.json").out,
              HasSubstr("cut-through with 100 ns per hop, for messages of one rank of a node"));
}

// 0 -> 1 takes 9 us, 1 -> 2 takes 2 us, and 1000 bytes 0.1 us each: 11.2 us in two rounds.
TEST_F(LinkClasses, of_a_network_file_count_by_link) {
  const json plan = answer("plan --network path.json --collective broadcast --bytes 1000 --explain");
  EXPECT_NEAR(plan.at("predicted_s").get<double>(), 11.2e-6, 1e-15);
  EXPECT_NEAR(plan.at("completion_s").get<double>(), 11.2e-6, 1e-15);
  EXPECT_NEAR(plan.at("time_bound").at("chain_s").get<double>(), 11e-6, 1e-15);
  const json cost = answer("cost --network path.json --collective broadcast --bytes 1000");
  EXPECT_NEAR(cost.at("round_synchronous_s").get<double>(), 11.2e-6, 1e-15);
  EXPECT_THAT(run("plan --network path.json --collective broadcast --bytes 1000 --explain").out,
              HasSubstr("link classes  times of single links: "));
}

TEST_F(LinkClasses, of_a_network_file_are_named) {
  EXPECT_THAT(run("network path.json").out, HasSubstr("link classes  long: 1 link, 9 us per message"));
  const json network = answer("network path.json");
  EXPECT_EQ(network.at("link_classes"),
            json::parse(R"([{"name": "long", "rate": 1, "links": 1, "latency_s": 9e-6}])"));
  EXPECT_THAT(run("network torus:4x4").out, Not(HasSubstr("link classes")));
}

}  // namespace
}  // namespace isotrope::app
