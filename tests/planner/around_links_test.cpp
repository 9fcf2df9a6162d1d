// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages beyond neighbours on networks that lack links or nodes: open axes, listed edges, failures.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/kept_counts.hpp"

#include "tests/planner/wanted.hpp"
#include "tests/rank/emulation.hpp"

namespace isotrope::planner {
namespace {

using testing::HasSubstr;

struct Lacking {
  const char* network;
  std::vector<network::Link> failed_links = {};
  std::vector<network::Edge> edges = {};
  std::vector<schedule::Node> failed_nodes = {};
};

void PrintTo(const Lacking& lacking, std::ostream* out) {
  *out << lacking.network << ", " << lacking.failed_links.size() << " links failed, " << lacking.edges.size()
       << " edges, " << lacking.failed_nodes.size() << " nodes failed";
}

Problem lacking_problem(const Lacking& lacking, Collective collective, schedule::PortModel ports) {
  auto [network, lacks] = network::parse_named(lacking.network);
  lacks.links = lacking.failed_links;
  lacks.edges = lacking.edges;
  lacks.nodes = lacking.failed_nodes;
  Problem result{.network = std::move(network), .failed = std::move(lacks), .ports = ports};
  result.task.collective = collective;
  return result;
}

class AroundLinks : public testing::TestWithParam<Lacking> {
 protected:
  // Calls use(algorithm, problem) for the algorithms whose messages the machine routes.
  template <class Use>
  static std::size_t for_each_algorithm(const Use& use) {
    std::size_t used = 0;
    for (const Algorithm* algorithm : catalog()) {
      if (!algorithm->traits().around_links) continue;
      for (const schedule::PortModel ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
        Problem problem = lacking_problem(GetParam(), algorithm->traits().collective, ports);
        if (schedule::is_rooted(problem.task.collective)) problem.task.root = problem.network.order() / 2 + 1;
        if (algorithm->traits().aggregates) problem.aggregation = unbounded;
        if (unsupported_reason(*algorithm, problem, {.associative = true})) continue;
        ++used;
        use(*algorithm, problem);
      }
    }
    return used;
  }
};

TEST_P(AroundLinks, every_algorithm_plans_and_runs) {
  const std::size_t used = for_each_algorithm([](const Algorithm& algorithm, const Problem& problem) {
    for (const Parameters& parameters : algorithm.choices(problem)) {
      const std::string what = fmt::format("{} for {}", algorithm.name(), collective_name(algorithm));
      const schedule::Plan plan = make_plan(problem, algorithm, parameters);
      ASSERT_TRUE(plan.overlay) << what;
      ASSERT_EQ(fault_of(verify::verify(plan)), "") << what;
      if (parameters == algorithm.choices(problem).front()) {
        EXPECT_EQ(rank::emulate(plan, 7), "") << what;
      }
    }
  });
  EXPECT_GT(used, GetParam().failed_nodes.empty() ? 30u : 10u);
}

// The farthest two nodes bound what must pass between all.
TEST_P(AroundLinks, choices_are_as_long_as_their_messages) {
  const cost::Machine machine = {
      .startup_s = 1e-6, .byte_time_s = 1e-9, .cut_through = true, .hop_time_s = 1e-7};
  for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::alltoall}) {
    if (collective != Collective::allgather && !GetParam().failed_nodes.empty()) continue;
    const Problem problem = lacking_problem(GetParam(), collective, schedule::PortModel::all());
    const network::SurvivingNetwork left(problem.network, problem.failed);
    std::uint32_t diameter = 0;
    for (const network::Node node : left.nodes())
      for (const network::Node other : left.nodes())
        diameter = std::max(diameter, left.distances(node)[other]);
    const Choice choice = choose_for(problem, 8, machine, {.associative = true});
    EXPECT_TRUE(choice.best().over_overlay());
    EXPECT_GE(choice.best().prediction.seconds, 1e-6 + (diameter - 1) * 1e-7);
    EXPECT_LE(choice.best().prediction.seconds, 1.5e-6 + diameter * 1e-7);
    const schedule::Plan plan = make_plan(choice.best());
    EXPECT_EQ(fault_of(verify::verify(plan)), "");
    const local::RunResult result = local::run(plan, {.block_bytes = 24, .threads = 2});
    EXPECT_TRUE(result.correct) << result.first_error;
  }
}

const std::vector<network::Edge> tree_and_chord{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {4, 5}};

INSTANTIATE_TEST_SUITE_P(
    Networks, AroundLinks,
    testing::Values(Lacking{"line:5"}, Lacking{"mesh:4x4"}, Lacking{"mesh:3x5"}, Lacking{"line:3xring:4"},
                    Lacking{"line:6xcomplete:2"}, Lacking{"hypercube:2xline:3"}, Lacking{"mesh:3x4@2"},
                    Lacking{"torus:4x4", {{0, 0}, {6, 2}}}, Lacking{"hexmesh:3", {{0, 0}, {0, 1}}},
                    Lacking{"mesh:3x4", {{0, 0}}}, Lacking{"complete:6", {}, tree_and_chord}));

TEST(AroundLinks, takes_all_nodes_and_all_links_side_by_side) {
  const Algorithm& linear = algorithm_named("linear-exchange", Collective::alltoall);
  const auto refusal = [&](const Problem& problem) {
    return unsupported_reason(linear, problem, {}).value_or("");
  };
  Problem problem = lacking_problem({"mesh:4x4"}, Collective::alltoall, schedule::PortModel::all());
  problem.aggregation = unbounded;
  EXPECT_EQ(refusal(problem), "");
  problem.failed.nodes = {3};
  EXPECT_THAT(refusal(problem), HasSubstr("it needs all nodes"));
  Problem few =
      lacking_problem({"ring:4", {}, {}, {1, 2}}, Collective::broadcast, schedule::PortModel::all());
  few.aggregation = unbounded;
  EXPECT_THAT(
      unsupported_reason(algorithm_named("level-exchange", Collective::broadcast), few, {}).value_or(""),
      HasSubstr("3 nodes or more"));
  problem = lacking_problem({"torus:4x4@2", {{0, 0}}}, Collective::alltoall, schedule::PortModel::all());
  problem.aggregation = unbounded;
  EXPECT_THAT(refusal(problem), HasSubstr("side by side"));
  problem = lacking_problem({"mesh:64x32"}, Collective::alltoall, schedule::PortModel::all());
  problem.aggregation = unbounded;
  EXPECT_THAT(refusal(problem), HasSubstr("2 to 1024 nodes if links are missing"));
  problem = lacking_problem({"mesh:4x4"}, Collective::allreduce, schedule::PortModel::all());
  problem.aggregation = unbounded;
  EXPECT_THAT(unsupported_reason(algorithm_named("swing", Collective::allreduce), problem, {}).value_or(""),
              HasSubstr("closed axes"));
}

// A message that is left out leaves a node without a value.
TEST(AroundLinks, plans_that_lack_a_message_are_rejected) {
  const Problem problem = lacking_problem({"mesh:4x4"}, Collective::allreduce, schedule::PortModel::all());
  const Choice choice = choose_for(problem, 1024, simgrid_machine(0), {.algorithm = "level-exchange"});
  const schedule::Plan plan = make_plan(choice.best());
  ASSERT_EQ(fault_of(verify::verify(plan)), "");
  const schedule::Rounds& rounds = plan.schedule.stages.front().rounds;
  for (std::uint64_t left_out = 0; left_out < rounds.hop_count(); left_out += 7) {
    schedule::Plan damaged = plan;
    schedule::Rounds& shorter = damaged.schedule.stages.front().rounds;
    shorter = {};
    std::uint64_t hop_number = 0;
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (const schedule::Hop& hop : rounds.round(t)) {
        if (hop_number++ != left_out) shorter.add(hop);
      }
      shorter.close_round();
    }
    EXPECT_FALSE(verify::verify(damaged).valid) << left_out;
  }
}

}  // namespace
}  // namespace isotrope::planner
