// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces and barriers of short vectors on tori and meshes: axis after axis, or over a node in the middle.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/addition_order.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

constexpr const char* names[] = {
    "ring:7",   "torus:4x4",     "torus:3x5",         "hypercube:4", "line:5",
    "mesh:3x4", "mesh:2x3x4",    "line:4xring:6",     "mesh:4x4x4",  "torus:2x2x5",
    "line:3",   "line:4xring:8", "hypercube:2xline:3"};

Problem axis_problem(const char* name, const char* collective, const char* ports = "all",
                     std::uint32_t parts = 1) {
  auto [network, lacks] = network::parse_named(name);
  const auto model = schedule::parse_port_model(ports, network.degree());
  auto task = schedule::parse_task(collective, network);
  task.parts = parts;
  return {.network = std::move(network), .failed = std::move(lacks), .task = task, .ports = model};
}

std::uint64_t diameter_of(const network::NamedNetwork& named) {
  const auto distances = network::SurvivingNetwork(named.network, named.lacks).distances(0);
  return *std::ranges::max_element(distances);
}

TEST(AxisExchange, adds_up_everything_in_any_number_of_parts) {
  for (const char* name : names) {
    for (const char* ports : {"all", "2", "one"}) {
      for (const std::uint32_t parts : {1U, 2U, 3U, 4U}) {
        for (const std::uint64_t aggregation : {std::uint64_t{1}, unbounded}) {
          Problem problem = axis_problem(name, "allreduce", ports, parts);
          problem.aggregation = aggregation;
          const Algorithm& algorithm = algorithm_named("axis-exchange", Collective::allreduce);
          if (unsupported_reason(algorithm, problem, {})) continue;
          const schedule::Plan plan = make_plan(problem, algorithm, {});
          const verify::Report report = verify::verify(plan);
          EXPECT_EQ(fault_of(report), "") << name << ' ' << ports << ' ' << parts;
          EXPECT_EQ(report.rounds, algorithm.rounds(problem, {})) << name << ' ' << ports << ' ' << parts;
          const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
          EXPECT_TRUE(result.correct) << name << ": " << result.first_error;
        }
      }
    }
  }
}

// Parts that begin with different axes do not meet if the extents are equal.
TEST(AxisExchange, takes_the_diameter_for_as_many_parts_as_axes) {
  for (const auto& [name, parts] : {std::pair("torus:4x4", 2U),
                                    {"hypercube:4", 4U},
                                    {"mesh:4x4x4", 3U},
                                    {"mesh:5x5", 2U},
                                    {"torus:5x5x5", 3U},
                                    {"line:6", 1U}}) {
    const Problem problem = axis_problem(name, "allreduce", "all", parts);
    EXPECT_EQ(algorithm_named("axis-exchange", Collective::allreduce).rounds(problem, {}),
              diameter_of(network::parse_named(name)))
        << name;
  }
}

TEST(AxisExchange, adds_alike_on_hypercubes_alone) {
  const Algorithm& algorithm = algorithm_named("axis-exchange", Collective::allreduce);
  for (const char* name : {"hypercube:4", "torus:2x2x2", "torus:4x4", "ring:7", "torus:2x2x5"}) {
    const Problem problem = axis_problem(name, "allreduce", "all", 2);
    const schedule::Schedule schedule = algorithm.schedule(problem, {});
    EXPECT_EQ(algorithm.adds_alike(problem, {}),
              schedule::adds_alike(problem.network, 2, schedule.stages.front()))
        << name;
  }
}

TEST(AxisExchange, is_for_short_vectors) {
  const auto reason = [](const char* name, const char* ports, std::uint32_t parts) {
    const Algorithm& algorithm = algorithm_named("axis-exchange", Collective::allreduce);
    return unsupported_reason(algorithm, axis_problem(name, "allreduce", ports, parts), {}).value_or("");
  };
  EXPECT_EQ(reason("mesh:4x4", "all", 8), "");
  EXPECT_THAT(reason("mesh:4x4", "all", 9), HasSubstr("short vectors, in 8 parts at most"));
  EXPECT_THAT(reason("mesh:4x4", "one", 1), HasSubstr("all ports"));
  EXPECT_THAT(reason("hexmesh:3", "all", 1), HasSubstr("needs a torus"));
}

TEST(AxisExchange, makes_barriers_take_the_diameter) {
  for (const char* name : names) {
    const schedule::Plan plan = make_plan(axis_problem(name, "barrier"));
    const verify::Report report = verify::verify(plan);
    EXPECT_EQ(fault_of(report), "") << name;
    EXPECT_EQ(report.rounds, diameter_of(network::parse_named(name))) << name;
    EXPECT_TRUE(local::run(plan, {.block_bytes = 8, .threads = 2}).correct) << name;
    const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .overhead_s = 1e-6};
    EXPECT_EQ(choose_for(axis_problem(name, "barrier"), 8, machine).best().prediction.rounds, report.rounds)
        << name;
  }
}

// Nodes (3, 3) to (4, 4) are 8 hops from the farthest corner, and corners 14 from each other.
TEST(MiddleRoot, halves_the_rounds_of_reduction_and_broadcast) {
  for (const char* collective : {"allreduce", "barrier"}) {
    for (const auto& [name, ports, rounds] :
         {std::tuple("mesh:8x8", "all", 16U), {"line:9", "all", 8U}, {"mesh:4x4x4", "all", 12U}}) {
      const Algorithm& algorithm = algorithm_named(std::string("surviving-tree-") + collective,
                                                   axis_problem(name, collective).task.collective);
      const schedule::Plan plan = make_plan(axis_problem(name, collective, ports), algorithm, {});
      const verify::Report report = verify::verify(plan);
      EXPECT_EQ(fault_of(report), "") << name;
      EXPECT_EQ(report.rounds, rounds) << name;
      EXPECT_TRUE(local::run(plan, {.block_bytes = 24, .threads = 2}).correct) << name;
    }
  }
}

// Slices go together in messages of any number of packets.
TEST(ShortAllreduces, take_no_limit_of_packets_in_a_message) {
  for (const char* name : {"circulant:19:1,3", "hexmesh:3", "torus:4x4"}) {
    for (const char* algorithm :
         {"hub-allreduce", "shared-subtree-allreduce", "middle-out-allreduce", "axis-exchange"}) {
      Problem problem = axis_problem(name, "allreduce");
      problem.aggregation = 4;
      const auto reason = unsupported_reason(algorithm_named(algorithm, Collective::allreduce), problem, {});
      EXPECT_TRUE(reason.has_value()) << algorithm;
    }
    Problem problem = axis_problem(name, "allreduce");
    problem.aggregation = 4;
    const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9};
    EXPECT_THAT([&] { choose_for(problem, 16384, machine, {.associative = true}, {.aggregation = true}); },
                testing::ThrowsMessage<Error>(HasSubstr("messages of up to 4 packets: give --merge all")));
  }
}

// Rounded sums have the same bits at all nodes, so they go over the middle; integers go axis after axis.
TEST(AxisExchange, is_chosen_for_short_vectors_of_integers) {
  const cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9};
  for (const char* name : {"mesh:8x8", "mesh:4x4x4", "line:4xring:8"}) {
    const Choice any = choose_for(axis_problem(name, "allreduce"), 256, machine, {.associative = true});
    const Choice rounded = choose_for(axis_problem(name, "allreduce"), 256, machine);
    EXPECT_EQ(any.best().algorithm->name(), "axis-exchange") << name;
    EXPECT_NE(rounded.best().algorithm->name(), "axis-exchange") << name;
    EXPECT_LT(any.best().prediction.seconds, 0.9 * rounded.best().prediction.seconds) << name;
  }
}

}  // namespace
}  // namespace isotrope::planner
