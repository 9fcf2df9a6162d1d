// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans on networks with open axes: valid, on real buffers, at the bound.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using network::Failures;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* networks[] = {
    "line:3",  "line:7", "mesh:3x4", "line:4xring:8", "mesh:2x3x2", "hypercube:2xline:3", "complete:3xline:4",
    "mesh:4x4"};
constexpr const char* open_collectives[] = {"broadcast", "reduce",   "scatter",        "gather",
                                            "allgather", "alltoall", "reduce-scatter", "allreduce",
                                            "barrier",   "scan",     "exscan"};

Problem open_problem(std::string_view name, std::string_view collective, std::string_view ports) {
  auto [network, lacks] = network::parse_named(name);
  const auto model = schedule::parse_port_model(ports, network.degree());
  const auto task = schedule::parse_task(collective, network);
  return {.network = std::move(network), .failed = std::move(lacks), .task = task, .ports = model};
}

class OpenAxes : public testing::TestWithParam<const char*> {};

TEST_P(OpenAxes, have_plans_for_every_collective) {
  for (const char* collective : open_collectives) {
    for (const char* ports : {"all", "one", "half"}) {
      const schedule::Plan plan = make_plan(open_problem(GetParam(), collective, ports));
      const verify::Report report = verify::verify(plan);
      EXPECT_EQ(fault_of(report), "") << collective << ", " << ports;
      EXPECT_GE(report.rounds, report.bound.value) << collective << ", " << ports;
      const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
      EXPECT_TRUE(result.correct) << collective << ", " << ports << ": " << result.first_error;
    }
  }
}

// What must move is at the bound over all ports, but for broadcasts of several packets on complete factors.
TEST_P(OpenAxes, are_planned_at_the_bound_over_all_ports) {
  for (const char* collective :
       {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "alltoall"}) {
    for (const std::uint32_t parts : {1U, 2U, 3U}) {
      Problem problem = open_problem(GetParam(), collective, "all");
      problem.task.parts = parts;
      const verify::Report report = verify::verify(make_plan(problem));
      EXPECT_EQ(fault_of(report), "") << collective;
      const bool spreads = collective == std::string("broadcast") || collective == std::string("reduce");
      const bool exception = spreads && parts > 1 && GetParam() == std::string("complete:3xline:4");
      EXPECT_LE(report.rounds, report.bound.value + (exception ? 1 : 0)) << collective << " in " << parts;
    }
  }
}

// The nodes in the middle are the busiest, and most plans take as many rounds as they have packets.
TEST(OpenAxesExchange, over_few_ports_is_near_the_bound) {
  for (const char* ports : {"one", "half"}) {
    for (const char* name : {"line:4", "line:8", "mesh:4x4", "mesh:3x7", "mesh:8x8", "line:4xring:6",
                             "mesh:3x4x3", "line:3xcomplete:4"}) {
      const schedule::Plan plan = make_plan(open_problem(name, "alltoall", ports));
      const verify::Report report = verify::verify(plan);
      EXPECT_EQ(fault_of(report), "") << name << ", " << ports;
      EXPECT_LE(static_cast<double>(report.rounds), 1.12 * static_cast<double>(report.bound.value))
          << name << ", " << ports;
    }
  }
  EXPECT_TRUE(verify::verify(make_plan(open_problem("line:8", "alltoall", "one"))).optimal);
  EXPECT_TRUE(verify::verify(make_plan(open_problem("line:8", "alltoall", "half"))).optimal);
}

// Scans of meshes and cylinders take as many rounds as the diameter, and the parts follow each other closely.
TEST(OpenAxesScan, are_at_the_bound) {
  for (const char* name : {"line:9", "mesh:3x4", "line:4xring:8", "ring:5xline:3", "hypercube:2xline:3"}) {
    for (const std::uint32_t parts : {1U, 4U}) {
      Problem problem = open_problem(name, "scan", "all");
      problem.task.parts = parts;
      const schedule::Plan plan = make_plan(problem);
      const verify::Report report = verify::verify(plan);
      EXPECT_EQ(fault_of(report), "") << name;
      if (parts == 1) {
        EXPECT_EQ(report.rounds, report.bound.value) << name;
      }
      EXPECT_TRUE(local::run(plan, {.block_bytes = 24, .threads = 2}).correct) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, OpenAxes, testing::ValuesIn(networks));

TEST(OpenAxesExchange, is_farthest_first_at_the_bound) {
  for (const char* name : {"line:9", "mesh:6x7", "line:5xring:8", "mesh:3x3x4", "ring:6xline:3xcomplete:4",
                           "line:4xhypercube:3"}) {
    const Problem problem = open_problem(name, "alltoall", "all");
    EXPECT_EQ(choose(problem).name(), "farthest-first-total-exchange") << name;
    const schedule::Plan plan = make_plan(problem);
    const verify::Report report = verify::verify(plan);
    EXPECT_EQ(fault_of(report), "") << name;
    EXPECT_EQ(report.rounds, report.bound.value) << name;
    const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
    EXPECT_TRUE(result.correct) << name << ": " << result.first_error;
  }
}

TEST(OpenAxesExchange, says_what_it_does_not_serve) {
  const auto reason = [](const char* name, const Failures& failed, const char* ports) {
    Problem problem = open_problem(name, "alltoall", ports);
    problem.failed.nodes = failed.nodes;
    return unsupported_reason(algorithm_named("farthest-first-total-exchange", Collective::alltoall), problem,
                              {})
        .value_or("");
  };
  EXPECT_EQ(reason("mesh:4x4", {}, "all"), "");
  EXPECT_THAT(reason("mesh:4x4", {{5}, {}}, "all"), HasSubstr("not around failures"));
  EXPECT_THAT(reason("mesh:4x4", {}, "one"), HasSubstr("all ports at once"));
  EXPECT_THAT(reason("line:3xhexmesh:3", {}, "all"), HasSubstr("needs a product of lines"));
  EXPECT_THAT(reason("line:1000", {}, "all"), HasSubstr("lists the hops"));
}

// Each of 16 shares of a vector takes 30 transmissions, over 48 links: 10 shares over the busiest ones.
TEST(OpenAxesTimeBound, of_an_allreduce_counts_bytes) {
  constexpr std::uint64_t bytes = 1 << 20;
  const cost::Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-10};
  for (const char* name : {"line:5", "mesh:4x4", "line:4xring:8", "complete:3xline:4"}) {
    for (const char* ports : {"all", "one"}) {
      const Choice choice = choose_for(open_problem(name, "allreduce", ports), bytes, machine);
      EXPECT_TRUE(choice.bound.knows_bytes) << name;
      EXPECT_GE(choice.best().prediction.seconds, choice.bound.seconds) << name << ", " << ports;
    }
  }
  const Choice mesh = choose_for(open_problem("mesh:4x4", "allreduce", "all"), bytes, machine);
  EXPECT_NEAR(mesh.bound.bytes, 10.0 / 16 * bytes, 32);
}

// A plan of the closed network uses links that the open one lacks.
TEST(OpenAxesCheck, finds_links_that_do_not_exist) {
  schedule::Plan plan = make_plan(problem_on("torus:4x4", "alltoall"));
  ASSERT_TRUE(verify::verify(plan).valid);
  plan.failed.open_axes = {1};
  EXPECT_FALSE(verify::verify(plan).valid);
}

TEST(OpenAxesCheck, refuses_what_goes_around_the_axes) {
  EXPECT_THAT([] { make_plan(open_problem("mesh:3x3", "neighborhood:1:1", "all")); },
              ThrowsMessage<Error>(HasSubstr("closed axes")));
}

}  // namespace
}  // namespace isotrope::planner
