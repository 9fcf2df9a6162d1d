// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce by levels and the known algorithms of this form: plans, data, predicted times, names and refusals.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/addition_order.hpp"
#include "isotrope/schedule/exchanges.hpp"

#include "isotrope/cost/cut_through.hpp"
#include "isotrope/cost/routed_completion.hpp"
#include "isotrope/cost/routed_rounds.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/comparison.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using algorithm::LevelShape;
using schedule::Plan;
using testing::HasSubstr;

constexpr const char* levels_name = "level-exchange";
constexpr const char* level_rows[] = {levels_name, "swing", "trivance", "recursive-halving-doubling",
                                      "bucket",    "ring",  "binomial", "level-tree-allreduce"};

Problem allreduce_on(const char* network, const char* ports = "all") {
  Problem problem = problem_on(network, "allreduce", ports);
  problem.aggregation = unbounded;
  return problem;
}

const Algorithm& row(std::string_view name) {
  return algorithm_named(name, Collective::allreduce);
}

std::string level_refusal(const char* name, const Problem& problem) {
  return unsupported_reason(row(name), problem).value_or("");
}

class Levels : public testing::TestWithParam<const char*> {};

TEST_P(Levels, are_valid_plans_under_all_port_models_that_they_take) {
  for (const char* ports : {"all", "1", "one"}) {
    const Problem problem = allreduce_on(GetParam(), ports);
    for (const char* name : level_rows) {
      if (unsupported_reason(row(name), problem)) continue;
      const auto choices = row(name).choices(problem);
      EXPECT_LE(choices.size(), 100u);
      for (const Parameters& parameters : choices) {
        const Plan plan = make_plan(problem, row(name), parameters);
        const verify::Report report = verify::verify(plan);
        EXPECT_EQ(fault_of(report), "") << name << ", " << to_string(*parameters.levels);
        EXPECT_EQ(report.rounds, row(name).rounds(problem, parameters));
        EXPECT_EQ(plan.task.parts, row(name).fixed_parts(problem, parameters));
        EXPECT_EQ(report.rounds, row(name).cut_through_rounds(problem, parameters).size());
      }
    }
  }
}

// Of whole vectors, at a node.
std::uint64_t reductions_in(const schedule::Stage& stage, schedule::Node nodes, std::uint32_t parts) {
  std::uint64_t added = 0;
  for (std::size_t first = 0; first < stage.result.size(); first += nodes) {
    std::size_t most = 0;
    for (schedule::Node node = 0; node < nodes; ++node)
      most = std::max(most, stage.result[first + node].size());
    added += most - 1;
  }
  return added / parts;
}

// The messages of a choice, and how long they take, as known without its schedule and from it.
void expect_same_messages(const Problem& cut, const Algorithm& algorithm, const Parameters& parameters,
                          const Network& overlay, const schedule::Schedule& schedule) {
  const auto messages = algorithm.overlay_messages(cut, parameters);
  if (!messages) return;
  const cost::RoutedMessages known(cut.network, cut.failed, *messages, parameters.chains);
  const cost::RoutedMessages written(cut.network, cut.failed, overlay, schedule, cut.task, parameters.chains);
  EXPECT_EQ(known.messages(), written.messages());
  EXPECT_EQ(known.written_out(), written.written_out());
  for (const double overhead_s : {0.0, 1e-6}) {
    std::uint64_t work = UINT64_MAX, again = UINT64_MAX;
    const std::vector<std::uint64_t> part_bytes{1000};
    const auto seconds = known.completion(part_bytes, simgrid_machine(overhead_s), work);
    EXPECT_EQ(seconds, written.completion(part_bytes, simgrid_machine(overhead_s), again));
    EXPECT_TRUE(seconds && *seconds > 1e-6);
  }
}

// Choices are priced by counts, without their schedules.
TEST(LevelCounts, are_those_of_the_schedules) {
  std::size_t counted = 0;
  for (const char* network : {"ring:2", "ring:9", "torus:4x4", "torus:3x5", "torus:2x3x2", "hypercube:4",
                              "torus:4x4@2,1", "line:5", "mesh:4x4", "mesh:3x5", "line:4xring:8",
                              "twisted-torus:2x4", "hexmesh:2", "complete:6", "circulant:16:1,4"}) {
    const network::NamedNetwork named = network::parse_named(network);
    for (const char* ports : {"all", "one"}) {
      const Problem problem{.network = named.network,
                            .failed = named.lacks,
                            .task = {.collective = Collective::allreduce},
                            .ports = schedule::parse_port_model(ports, named.network.degree()),
                            .aggregation = unbounded};
      for (const char* name : level_rows) {
        // Its reduce may take other ways than the broadcast by which it is priced.
        if (std::string_view(name) == "level-tree-allreduce") continue;
        if (unsupported_reason(row(name), problem)) continue;
        for (const Parameters& parameters : row(name).choices(problem)) {
          const std::uint32_t parts = row(name).fixed_parts(problem, parameters);
          Problem cut = problem;
          cut.task.parts = parts;
          const auto overlay = row(name).overlay(cut, parameters);
          const schedule::Schedule schedule = row(name).schedule(cut, parameters);
          EXPECT_EQ(row(name).cut_through_rounds(problem, parameters),
                    cost::routed_rounds(problem.network, problem.failed, *overlay, schedule))
              << network << ", " << name << ", " << to_string(*parameters.levels);
          Parameters in_chains = parameters;
          in_chains.chains = row(name).chains(problem, parameters);
          expect_same_messages(cut, row(name), parameters, *overlay, schedule);
          expect_same_messages(cut, row(name), in_chains, *overlay, schedule);
          EXPECT_EQ(row(name).local_reductions(problem, parameters),
                    reductions_in(schedule.stages.front(), problem.network.order(), parts))
              << network << ", " << name << ", " << to_string(*parameters.levels);
          ++counted;
        }
      }
    }
  }
  EXPECT_GT(counted, 500U);
}

TEST_P(Levels, sum_up_real_vectors) {
  const Problem problem = allreduce_on(GetParam());
  for (const char* name : level_rows) {
    if (unsupported_reason(row(name), problem)) continue;
    for (const Parameters& parameters : row(name).choices(problem)) {
      const Plan plan = make_plan(problem, row(name), parameters);
      const local::Reduction sum{local::Type::int32, local::Operation::sum};
      const local::RunResult result = local::run(plan, {.block_bytes = 1000, .reduction = sum, .threads = 2});
      EXPECT_TRUE(result.correct) << name << ", " << to_string(*parameters.levels) << ": "
                                  << result.first_error;
      EXPECT_EQ(result.bytes_checked, plan.network.order() * 1000u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, Levels,
                         testing::Values("ring:2", "ring:5", "ring:8", "ring:9", "torus:4x4", "torus:3x5",
                                         "torus:3x3", "torus:2x4", "torus:2x3x2", "hypercube:4",
                                         "twisted-torus:2x4", "hexmesh:2", "hexmesh:3", "complete:6",
                                         "circulant:16:1,4", "circulant:29:1,5,12"));

double microseconds(const char* network, std::uint64_t bytes, double overhead_s,
                    const Preferences& preferences) {
  return 1e6 * choose_for(allreduce_on(network), bytes, simgrid_machine(overhead_s), preferences)
                   .best()
                   .prediction.seconds;
}
double microseconds(const char* network, std::uint64_t bytes, double overhead_s, std::string algorithm = "") {
  return microseconds(network, bytes, overhead_s, Preferences{.algorithm = std::move(algorithm)});
}

// Steps of 1 us at both ends, hops, and bytes over the busiest links: 1 + 2 + 1 hops on a ring of 8.
TEST(LevelTimes, are_those_of_messages_hops_and_bytes) {
  EXPECT_NEAR(microseconds("ring:8", 64, 1e-6, levels_name), 3 * 2 + 4 + 3 * 0.064, 0.07);
  EXPECT_NEAR(microseconds("ring:8", 64, 1e-6, "swing"), 3 * 2 + 5 + 4 * 0.064, 0.07);
  EXPECT_NEAR(microseconds("ring:16", 64, 1e-6, "swing"), 4 * 2 + 10, 0.6);
  EXPECT_NEAR(microseconds("ring:9", 64, 1e-6, "trivance"), 2 * 3 + 4 + 4 * 0.064, 0.07);
  EXPECT_NEAR(microseconds("torus:8x8", 64, 0, levels_name), 8.2, 0.1);
}

bool adds_alike(const char* name, const Problem& problem) {
  return std::ranges::all_of(row(name).choices(problem), [&](const Parameters& parameters) {
    return row(name).adds_alike(problem, parameters);
  });
}

// The rivals of the papers are never ahead of the choice, if they give all nodes the same bits; nor of level exchanges.
TEST(LevelTimes, of_the_choice_are_never_above_those_of_a_rival) {
  unsigned trial = 0;
  for (const char* network :
       {"torus:4x4", "torus:8x8", "torus:9x9", "ring:8", "ring:27", "torus:3x5", "hypercube:4"}) {
    for (const std::uint64_t bytes : {64u, 256u, 1024u, 4096u, 16384u, 65536u}) {
      for (const double overhead_s : {0.0, 1e-6}) {
        if (is_left_out(trial++, 5)) continue;
        const double best = microseconds(network, bytes, overhead_s);
        for (const char* name : level_rows) {
          const Problem problem = allreduce_on(network);
          if (level_refusal(name, problem).empty() && adds_alike(name, problem)) {
            EXPECT_LE(best, microseconds(network, bytes, overhead_s, name)) << network << " " << name;
          }
        }
      }
    }
  }
  EXPECT_LE(microseconds("torus:9x9", 1024, 1e-6, levels_name),
            microseconds("torus:9x9", 1024, 1e-6, "trivance"));
  EXPECT_LE(microseconds("ring:16", 256, 1e-6, levels_name), microseconds("ring:16", 256, 1e-6, "swing"));
}

// If every order gives the same bits, then no algorithm is passed over, and the choice gains on extents of 3^k.
TEST(LevelTimes, of_associative_operations_are_never_above_those_of_any_algorithm) {
  unsigned trial = 0;
  for (const char* network : {"torus:9x9", "ring:9", "ring:27", "torus:3x3x3", "torus:3x5", "ring:16"}) {
    for (const std::uint64_t bytes : {64u, 256u, 1024u, 4096u, 16384u, 65536u}) {
      for (const double overhead_s : {0.0, 1e-6}) {
        if (is_left_out(trial++, 5)) continue;
        const double best = microseconds(network, bytes, overhead_s, Preferences{.associative = true});
        EXPECT_LE(best, microseconds(network, bytes, overhead_s)) << network << " " << bytes;
        for (const char* name : level_rows) {
          if (!level_refusal(name, allreduce_on(network)).empty()) continue;
          EXPECT_LE(best, microseconds(network, bytes, overhead_s, name)) << network << " " << name;
        }
      }
    }
  }
  EXPECT_LT(microseconds("ring:27", 256, 1e-6, Preferences{.associative = true}),
            0.8 * microseconds("ring:27", 256, 1e-6));
}

// Swing adds in the order of a window around each node, and its divisions leave no choice of order.
TEST(LevelRows, say_which_shapes_add_alike) {
  const Problem ring = allreduce_on("ring:8"), square = allreduce_on("torus:4x4");
  const Parameters whole{.levels = LevelShape{0, 1, LevelShape::Program::stages, 1}};
  const Parameters divided{.levels = LevelShape{3, 1, LevelShape::Program::stages, 1}};
  EXPECT_FALSE(row("swing").adds_alike(ring, whole));
  EXPECT_TRUE(row("swing").adds_alike(ring, divided));
  EXPECT_TRUE(row("swing").adds_alike(square, whole));
  EXPECT_FALSE(row("trivance").adds_alike(allreduce_on("ring:9"), whole));
  EXPECT_TRUE(
      row("recursive-halving-doubling").adds_alike(ring, row("recursive-halving-doubling").choices(ring)[0]));
  EXPECT_TRUE(adds_alike("bucket", ring));
}

// Contributions that are gathered first are added in the order of the nodes.
bool has_one_order(const Plan& plan) {
  const schedule::Stage& stage = plan.schedule.stages.front();
  if (stage.flow != schedule::Flow::exchange) return true;
  return schedule::gathered_copies(hop_network(plan), plan.task.parts, plan.schedule) ||
         schedule::adds_alike(hop_network(plan), plan.task.parts, stage);
}

TEST(Allreduces, that_say_that_nodes_add_alike_do_so) {
  unsigned exchanges = 0, trial = 0;
  for (const char* network : {"ring:8", "ring:9", "torus:4x4", "torus:3x4", "torus:2x8", "hypercube:4",
                              "hexmesh:2", "complete:8", "circulant:8:1,2,4", "twisted-torus:2x4"}) {
    for (const char* ports : {"all", "one"}) {
      for (const Algorithm* algorithm : catalog()) {
        const Problem problem = allreduce_on(network, ports);
        if (algorithm->traits().collective != Collective::allreduce) continue;
        if (unsupported_reason(*algorithm, problem)) continue;
        for (const Parameters& parameters : algorithm->choices(problem)) {
          if (is_left_out(trial++, 5) || !algorithm->adds_alike(problem, parameters)) continue;
          const Plan plan = make_plan(problem, *algorithm, parameters);
          EXPECT_TRUE(has_one_order(plan)) << algorithm->name() << " on " << network << ", " << ports;
          exchanges += plan.schedule.stages.front().flow == schedule::Flow::exchange ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(exchanges, unless_sanitized(100, 20));
}

TEST(LevelRows, say_what_they_cannot_serve) {
  EXPECT_EQ(level_refusal(levels_name, allreduce_on("hexmesh:3")), "");
  EXPECT_THAT(level_refusal("swing", allreduce_on("hexmesh:3")),
              HasSubstr("a torus, a ring or a hypercube, not hexmesh:3"));
  EXPECT_EQ(level_refusal(levels_name, allreduce_on("torus:4x4", "one")), "");
  EXPECT_EQ(level_refusal(levels_name, allreduce_on("circulant:16:1,4", "one")), "");
  EXPECT_EQ(level_refusal(levels_name, allreduce_on("torus:3x3", "one")), "");
  EXPECT_THAT(level_refusal("swing", allreduce_on("torus:4x6")),
              HasSubstr("powers of 2, and torus:4x6 has 6"));
  EXPECT_THAT(level_refusal("trivance", allreduce_on("torus:9x3x2")),
              HasSubstr("powers of 3, and torus:9x3x2 has 2"));
  EXPECT_THAT(level_refusal("trivance", allreduce_on("torus:9x9", "one")), HasSubstr("all ports at once"));
  EXPECT_THAT(level_refusal("recursive-halving-doubling", allreduce_on("ring:12")),
              HasSubstr("power of two, not 12"));
  EXPECT_THAT(level_refusal("bucket", allreduce_on("complete:5")), HasSubstr("not complete:5"));
  EXPECT_THAT(level_refusal("ring", allreduce_on("ring:2000")),
              HasSubstr("a block of every node at every node, of 1024"));
  EXPECT_EQ(level_refusal("swing", allreduce_on("torus:4x4", "one")), "");
  for (const char* name : level_rows) {
    EXPECT_THAT(level_refusal(name, allreduce_on("ring:1")), HasSubstr("2 to 4096"));
    EXPECT_THAT(level_refusal(name, allreduce_on("ring:8192")), HasSubstr("2 to 4096"));
    EXPECT_THAT(level_refusal(name, allreduce_on("ring:8", "half")), HasSubstr("half-duplex"));
    Problem problem = allreduce_on("ring:8");
    problem.task.parts = 2;
    EXPECT_THAT(level_refusal(name, problem), HasSubstr("leave the parts at 1"));
    problem = allreduce_on("ring:8");
    problem.aggregation = 4;
    EXPECT_THAT(level_refusal(name, problem), HasSubstr("--merge all"));
    problem = allreduce_on("ring:8");
    problem.failed.nodes = {3};
    if (!row(name).traits().around_nodes) {
      EXPECT_THAT(level_refusal(name, problem), HasSubstr("whole network"));
    }
  }
}

Candidate chosen_for(const char* network, const char* collective, std::uint64_t bytes,
                     const cost::Machine& machine) {
  return choose_for(problem_on(network, collective), bytes, machine, {.associative = true}).best();
}

// Two copies of recursive doubling: in chains 17.14 us, in common rounds 18.14 us.
TEST(LevelChains, hide_overheads_behind_messages) {
  const Candidate best = chosen_for("hypercube:3", "allreduce", 4096, simgrid_machine(1e-6));
  EXPECT_EQ(best.prediction.chains, 2u);
  EXPECT_NEAR(best.prediction.seconds, 17.14e-6, 0.01e-6);
  const Prediction& p = best.prediction;
  EXPECT_NEAR(p.overhead_s + p.startup_s + p.transfer_s, p.seconds, 1e-12);
  EXPECT_LE(chosen_for("torus:4x4", "allgather", 16384, simgrid_machine(1e-6)).prediction.seconds, 82.5e-6);
}

TEST(LevelChains, are_those_of_the_plan) {
  for (const char* collective : {"allreduce", "allgather", "reduce-scatter", "broadcast", "reduce"}) {
    for (const std::uint64_t bytes : {1024u, 4096u, 16384u}) {
      const Candidate best = chosen_for("torus:4x4", collective, bytes, simgrid_machine(1e-6));
      const Plan plan = make_plan(best);
      EXPECT_EQ(plan.chains, best.prediction.chains);
      EXPECT_EQ(fault_of(verify::verify(plan)), "");
      EXPECT_EQ(rank::emulate(plan, 100), "");
    }
  }
}

// Processors that copy the bytes do nothing beside them.
TEST(LevelChains, are_not_planned_where_processors_copy) {
  cost::Machine machine = simgrid_machine(1e-6);
  EXPECT_GT(chosen_for("hypercube:3", "allreduce", 4096, machine).prediction.chains, 1u);
  machine.overhead_byte_s = machine.byte_time_s;
  EXPECT_EQ(chosen_for("hypercube:3", "allreduce", 4096, machine).prediction.chains, 1u);
}

std::string chosen(const char* network, const char* collective, std::string algorithm) {
  return choose_for(problem_on(network, collective), 64, simgrid_machine(0),
                    {.algorithm = std::move(algorithm)})
      .best()
      .algorithm->name();
}

TEST(Aliases, stand_for_names) {
  EXPECT_EQ(chosen("torus:4x4", "allreduce", "bine"), "swing");
  EXPECT_EQ(chosen("torus:4x4", "allreduce", "rabenseifner"), "recursive-halving-doubling");
  EXPECT_EQ(chosen("torus:4x4", "allreduce", "bruck"), "radix-exchange-then-reduce");
  EXPECT_EQ(chosen("torus:4x4", "barrier", "dissemination"), "radix-exchange-then-reduce");
  EXPECT_EQ(chosen("torus:4x4", "alltoall", "bruck"), "radix-exchange");
}

TEST(Aliases, are_unique_within_a_collective) {
  for (const Algorithm* algorithm : catalog()) {
    std::vector<std::string> names = algorithm->traits().aliases;
    names.push_back(algorithm->name());
    for (const std::string& name : names) {
      EXPECT_EQ(std::ranges::count_if(catalog(),
                                      [&](const Algorithm* other) {
                                        return other->traits().collective == algorithm->traits().collective &&
                                               other->is_called(name);
                                      }),
                1)
          << name;
    }
  }
}

// A curve per algorithm, however many choices it has.
TEST(LevelComparison, takes_the_algorithms_that_are_named) {
  const Comparison comparison = compare(allreduce_on("torus:4x4"), {64, 4096}, simgrid_machine(1e-6),
                                        {"swing", "rabenseifner", levels_name});
  ASSERT_EQ(comparison.curves.size(), 3u);
  EXPECT_EQ(comparison.curves[0].name, "swing, aggregated");
  EXPECT_EQ(comparison.curves[1].name, "recursive-halving-doubling, aggregated");
  EXPECT_EQ(comparison.curves[2].name, "level-exchange, aggregated");
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_DOUBLE_EQ(comparison.curves[2].predictions[i].seconds,
                     1e-6 * microseconds("torus:4x4", comparison.bytes[i], 1e-6, levels_name));
  EXPECT_THROW(compare(allreduce_on("torus:4x4"), {64}, simgrid_machine(0), {"trivance"}), Error);
  EXPECT_THROW(compare(allreduce_on("torus:4x4"), {64}, simgrid_machine(0), {"swin"}), Error);
}

// The schedule lists the messages of all nodes; a program of 4,096 ranks can still be planned.
TEST(LevelPlans, of_thousands_of_nodes_are_valid) {
  if (is_sanitized) GTEST_SKIP() << "its networks are large";
  for (const char* network : {"torus:16x16x16", "torus:64x64"}) {
    const Choice choice =
        choose_for(allreduce_on(network), 1024, simgrid_machine(1e-6), {.algorithm = levels_name});
    EXPECT_EQ(fault_of(verify::verify(make_plan(choice.best()))), "") << network;
  }
}

}  // namespace
}  // namespace isotrope::planner
