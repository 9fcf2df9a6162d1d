// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast, reduce, allgather and reduce-scatter by levels and the known algorithms of this form: plans from any root,
// data, predicted times, names and refusals.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/cost/routed_completion.hpp"
#include "isotrope/cost/routed_rounds.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using schedule::Plan;
using testing::HasSubstr;

constexpr const char* level_exchange = "level-exchange";

struct CopyRow {
  const char* collective;
  const char* name;
};
constexpr CopyRow copy_rows[] = {{"broadcast", level_exchange},
                                 {"broadcast", "swing"},
                                 {"broadcast", "binomial"},
                                 {"broadcast", "scatter-allgather"},
                                 {"reduce", level_exchange},
                                 {"reduce", "swing"},
                                 {"reduce", "binomial"},
                                 {"reduce", "reduce-scatter-gather"},
                                 {"allgather", level_exchange},
                                 {"allgather", "swing"},
                                 {"allgather", "recursive-doubling"},
                                 {"allgather", "bucket"},
                                 {"allgather", "ring"},
                                 {"reduce-scatter", level_exchange},
                                 {"reduce-scatter", "swing"},
                                 {"reduce-scatter", "recursive-halving"},
                                 {"reduce-scatter", "bucket"},
                                 {"reduce-scatter", "ring"}};

Problem copies_on(const char* network, std::string_view collective, const char* ports = "all") {
  Problem problem = problem_on(network, collective, ports);
  problem.aggregation = unbounded;
  if (schedule::is_rooted(problem.task.collective)) problem.task.root = problem.network.order() * 2 / 3;
  return problem;
}

const Algorithm& algorithm_of(const CopyRow& row) {
  return algorithm_named(row.name, copies_on("ring:2", row.collective).task.collective);
}

std::string copy_refusal(const char* collective, const char* name, const Problem& problem) {
  return unsupported_reason(algorithm_of({collective, name}), problem).value_or("");
}

class CopiedLevels : public testing::TestWithParam<const char*> {};

TEST_P(CopiedLevels, are_valid_plans_under_all_port_models_that_they_take) {
  for (const char* ports : {"all", "one"}) {
    for (const CopyRow& row : copy_rows) {
      const Problem problem = copies_on(GetParam(), row.collective, ports);
      const Algorithm& algorithm = algorithm_of(row);
      if (unsupported_reason(algorithm, problem)) continue;
      const auto choices = algorithm.choices(problem);
      EXPECT_LE(choices.size(), 2 * 81u);  // by the torus's axes and by others
      for (const Parameters& parameters : choices) {
        const Plan plan = make_plan(problem, algorithm, parameters);
        const verify::Report report = verify::verify(plan);
        EXPECT_EQ(fault_of(report), "")
            << row.collective << ", " << row.name << ", " << to_string(*parameters.levels);
        EXPECT_EQ(report.rounds, algorithm.rounds(problem, parameters));
        EXPECT_EQ(plan.task.parts, algorithm.fixed_parts(problem, parameters));
        EXPECT_EQ(report.rounds, algorithm.cut_through_rounds(problem, parameters).size());
      }
    }
  }
}

// Allgathers and reduce-scatters are priced by counts, without their schedules.
TEST(CopiedLevelCounts, are_those_of_the_schedules) {
  std::size_t counted = 0;
  for (const char* network :
       {"ring:2", "ring:9", "torus:4x4", "torus:3x5", "torus:2x3x2", "hypercube:4", "torus:4x4@2,1", "line:5",
        "mesh:4x4", "mesh:3x5", "twisted-torus:2x4", "hexmesh:2", "circulant:16:1,4", "torus:9x9"}) {
    const network::NamedNetwork named = network::parse_named(network);
    for (const CopyRow& row : copy_rows) {
      Problem problem{.network = named.network, .failed = named.lacks, .aggregation = unbounded};
      problem.task.collective = schedule::parse_collective(row.collective);
      const Algorithm& algorithm = algorithm_of(row);
      if (unsupported_reason(algorithm, problem)) continue;
      for (Parameters parameters : algorithm.choices(problem)) {
        Problem cut = problem;
        cut.task.parts = algorithm.fixed_parts(problem, parameters);
        for (const std::uint32_t chains : {1U, algorithm.chains(problem, parameters)}) {
          parameters.chains = chains;
          const auto messages = algorithm.overlay_messages(cut, parameters);
          if (!messages) continue;
          const auto overlay = algorithm.overlay(cut, parameters);
          const schedule::Schedule schedule = algorithm.schedule(cut, parameters);
          if (cut.task.collective == Collective::allgather) {
            EXPECT_EQ(algorithm.cut_through_rounds(problem, parameters),
                      cost::routed_rounds(problem.network, problem.failed, *overlay, schedule))
                << network << ", " << row.name << ", " << to_string(*parameters.levels);
          }
          const cost::RoutedMessages known(cut.network, cut.failed, *messages, chains);
          const cost::RoutedMessages written(cut.network, cut.failed, *overlay, schedule, cut.task, chains);
          EXPECT_EQ(known.messages(), written.messages());
          for (const double overhead_s : {0.0, 1e-6}) {
            const std::vector<std::uint64_t> part_bytes{100};
            std::uint64_t work = UINT64_MAX, again = UINT64_MAX;
            EXPECT_EQ(known.completion(part_bytes, simgrid_machine(overhead_s), work),
                      written.completion(part_bytes, simgrid_machine(overhead_s), again))
                << network << ", " << row.collective << ", " << row.name << ", "
                << to_string(*parameters.levels);
          }
          ++counted;
        }
      }
    }
  }
  EXPECT_GT(counted, 300U);
}

TEST_P(CopiedLevels, move_real_bytes) {
  for (const CopyRow& row : copy_rows) {
    const Problem problem = copies_on(GetParam(), row.collective);
    const Algorithm& algorithm = algorithm_of(row);
    if (unsupported_reason(algorithm, problem)) continue;
    const bool reduces = schedule::traits_of(problem.task.collective).reduces;
    for (const Parameters& parameters : algorithm.choices(problem)) {
      local::ExecutionOptions options{.block_bytes = 1000, .threads = 2};
      if (reduces) options.reduction = local::Reduction{local::Type::int32, local::Operation::sum};
      const local::RunResult result = local::run(make_plan(problem, algorithm, parameters), options);
      EXPECT_TRUE(result.correct) << row.collective << ", " << row.name << ", "
                                  << to_string(*parameters.levels) << ": " << result.first_error;
      EXPECT_GT(result.bytes_checked, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, CopiedLevels,
                         testing::Values("ring:2", "ring:7", "ring:8", "torus:3x5", "torus:4x4", "torus:4x6",
                                         "torus:2x3x2", "hypercube:3", "hexmesh:2", "circulant:16:1,4"));

double microseconds(const char* network, const char* collective, std::uint64_t bytes, double overhead_s,
                    std::string algorithm = "") {
  return 1e6 * choose_for(copies_on(network, collective), bytes, simgrid_machine(overhead_s),
                          {.algorithm = std::move(algorithm)})
                   .best()
                   .prediction.seconds;
}

// Four steps of a message, of 1 us at both ends, hops and bytes: 1 + 1 + 3 hops on a ring of 8.
TEST(CopiedLevelTimes, are_those_of_messages_hops_and_bytes) {
  for (const char* collective : {"broadcast", "reduce"}) {
    EXPECT_NEAR(microseconds("ring:8", collective, 64, 1e-6, "swing"), 3 * 2 + 5 + 3 * 0.064, 0.1);
    EXPECT_NEAR(microseconds("ring:8", collective, 64, 1e-6, "binomial"), 3 * 2 + 7 + 3 * 0.064, 0.1);
    // A message to the neighbour, and three, of which the one over three links is prepared first and taken last.
    EXPECT_NEAR(microseconds("ring:8", collective, 64, 1e-6, level_exchange), 3 + 5 + 2 * 0.064, 0.2);
  }
}

// The rivals of the papers are never ahead of the choice.
TEST(CopiedLevelTimes, of_the_choice_are_never_above_those_of_a_rival) {
  for (const char* network : {"torus:4x4", "torus:3x5", "ring:8", "hypercube:4"}) {
    for (const std::uint64_t bytes : {64u, 1024u, 16384u}) {
      for (const double overhead_s : {0.0, 1e-6}) {
        for (const CopyRow& row : copy_rows) {
          if (!copy_refusal(row.collective, row.name, copies_on(network, row.collective)).empty()) continue;
          EXPECT_LE(microseconds(network, row.collective, bytes, overhead_s),
                    microseconds(network, row.collective, bytes, overhead_s, row.name))
              << network << " " << row.collective << " " << row.name;
        }
      }
    }
  }
}

TEST(CopiedLevelTimes, of_middle_vectors_with_overhead_are_those_of_levels) {
  for (const auto& [network, bytes] :
       {std::pair("torus:4x4x4", 16384u), {"torus:8x8", 4096u}, {"ring:27", 4096u}}) {
    for (const char* collective : {"broadcast", "reduce"}) {
      const Choice choice = choose_for(copies_on(network, collective), bytes, simgrid_machine(1e-6));
      EXPECT_EQ(choice.best().algorithm->name(), level_exchange) << network << " " << collective;
    }
  }
}

TEST(CopiedLevelRows, say_what_they_cannot_serve) {
  for (const char* collective : {"broadcast", "reduce", "allgather", "reduce-scatter"}) {
    EXPECT_EQ(copy_refusal(collective, level_exchange, copies_on("hexmesh:3", collective)), "");
    EXPECT_THAT(copy_refusal(collective, "swing", copies_on("hexmesh:3", collective)),
                HasSubstr("a torus, a ring or a hypercube, not hexmesh:3"));
    EXPECT_EQ(copy_refusal(collective, level_exchange, copies_on("torus:4x4", collective, "one")), "");
    EXPECT_EQ(copy_refusal(collective, level_exchange, copies_on("torus:3x3", collective, "one")), "");
    EXPECT_THAT(copy_refusal(collective, "swing", copies_on("torus:4x6", collective)),
                HasSubstr("powers of 2, and torus:4x6 has 6"));
    EXPECT_EQ(copy_refusal(collective, "swing", copies_on("torus:4x4", collective, "one")), "");
  }
  EXPECT_THAT(copy_refusal("broadcast", "scatter-allgather", copies_on("ring:12", "broadcast")),
              HasSubstr("power of two, not 12"));
  EXPECT_THAT(copy_refusal("allgather", "recursive-doubling", copies_on("ring:12", "allgather")),
              HasSubstr("power of two, not 12"));
  EXPECT_THAT(copy_refusal("allgather", "bucket", copies_on("complete:5", "allgather")),
              HasSubstr("not complete:5"));
  EXPECT_THAT(copy_refusal("reduce-scatter", "ring", copies_on("ring:2000", "reduce-scatter")),
              HasSubstr("a block of every node at every node, of 1024"));
  EXPECT_THAT(copy_refusal("allgather", level_exchange, copies_on("ring:2000", "allgather")),
              HasSubstr("of 1024"));
  for (const CopyRow& row : copy_rows) {
    Problem problem = copies_on("ring:8", row.collective);
    problem.task.parts = 2;
    EXPECT_THAT(copy_refusal(row.collective, row.name, problem), HasSubstr("leave the parts at 1"));
    problem = copies_on("ring:8", row.collective);
    problem.aggregation = 4;
    EXPECT_THAT(copy_refusal(row.collective, row.name, problem), HasSubstr("--merge all"));
    problem = copies_on("ring:8", row.collective, "half");
    EXPECT_THAT(copy_refusal(row.collective, row.name, problem), HasSubstr("half-duplex"));
    problem = copies_on("ring:8192", row.collective);
    EXPECT_THAT(copy_refusal(row.collective, row.name, problem), HasSubstr("2 to 4096"));
  }
}

TEST(CopiedLevelRows, have_the_names_of_the_papers) {
  const auto chosen = [](const char* collective, std::string name) {
    return choose_for(copies_on("torus:4x4", collective), 64, simgrid_machine(0),
                      {.algorithm = std::move(name)})
        .best()
        .algorithm->name();
  };
  for (const char* collective : {"broadcast", "reduce", "allgather", "reduce-scatter"})
    EXPECT_EQ(chosen(collective, "bine"), "swing");
  EXPECT_EQ(chosen("broadcast", "van-de-geijn"), "scatter-allgather");
  EXPECT_EQ(chosen("reduce", "rabenseifner"), "reduce-scatter-gather");
}

// The messages of all nodes are listed; a program of 4,096 ranks can still be planned.
TEST(CopiedLevelPlans, of_thousands_of_nodes_are_valid) {
  if (is_sanitized) GTEST_SKIP() << "its networks are large";
  for (const char* network : {"torus:16x16x16", "torus:64x64"}) {
    const Choice choice = choose_for(copies_on(network, "broadcast"), 4096, simgrid_machine(1e-6),
                                     {.algorithm = level_exchange});
    EXPECT_EQ(fault_of(verify::verify(make_plan(choice.best()))), "") << network;
  }
}

}  // namespace
}  // namespace isotrope::planner
