// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges of sums, held against a reference that writes down which contributions every value contains.
#include "isotrope/schedule/exchanges.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/cost/completion.hpp"

#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using schedule::Node;
using schedule::Plan;
using schedule::ValueId;

// The nodes whose contributions a value contains, as often as it contains them.
using Contributions = std::vector<Node>;

/// The values of all nodes for one part.
class Values {
 public:
  explicit Values(Node nodes) : of_(nodes) {
    for (Node node = 0; node < nodes; ++node) of_[node] = {{node}};
  }
  void receive(Node node, Contributions value) { of_[node].push_back(std::move(value)); }
  Contributions sum(Node node, const std::vector<ValueId>& values) const {
    Contributions result;
    for (const ValueId value : values) {
      const Contributions& one = of_[node].at(value);
      result.insert(result.end(), one.begin(), one.end());
    }
    std::ranges::sort(result);
    return result;
  }

 private:
  std::vector<std::vector<Contributions>> of_;
};

// What all nodes end with, one list per part.
std::vector<std::vector<Contributions>> results(const Plan& given) {
  const Plan plan = verify::expand(given);
  const schedule::Stage& stage = plan.schedule.stages.at(0);
  const Network& network = hop_network(plan);
  std::vector<Values> now(plan.task.parts, Values(network.order()));
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    const std::vector<Values> before = now;
    for (const schedule::Hop& hop : stage.rounds.round(t)) {
      const schedule::Sum& sum = stage.sums.at(hop.packet);
      now[sum.part].receive(network.neighbour(hop.from, hop.port),
                            before[sum.part].sum(hop.from, sum.values));
    }
  }
  std::vector<std::vector<Contributions>> result(plan.task.parts);
  for (std::uint32_t part = 0; part < plan.task.parts; ++part) {
    for (Node node = 0; node < network.order(); ++node) {
      const bool alike = stage.result.size() == plan.task.parts;
      result[part].push_back(
          now[part].sum(node, stage.result.at(alike ? part : part * network.order() + node)));
    }
  }
  return result;
}

// Whether every node ends with every contribution exactly once.
bool is_complete(const Plan& plan) {
  Contributions all(plan.network.order());
  std::iota(all.begin(), all.end(), Node{0});
  return std::ranges::all_of(results(plan), [&](const auto& part) {
    return std::ranges::all_of(part, [&](const Contributions& found) { return found == all; });
  });
}

std::vector<Plan> exchanges_on(const char* network, std::uint32_t parts) {
  std::vector<Plan> result;
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().collective != Collective::allreduce) continue;
    for (const std::uint64_t limit : {std::uint64_t{1}, unbounded}) {
      Problem problem = problem_on(network, "allreduce");
      problem.task.parts = algorithm->traits().overlay ? 1 : parts;
      problem.aggregation = limit;
      if (unsupported_reason(*algorithm, problem)) continue;
      for (const Parameters& parameters : algorithm->choices(problem)) {
        Plan plan = make_plan(problem, *algorithm, parameters);
        if (plan.schedule.stages[0].flow == schedule::Flow::exchange) result.push_back(std::move(plan));
      }
    }
  }
  return result;
}

class Exchanges : public testing::TestWithParam<const char*> {};

TEST_P(Exchanges, end_with_every_contribution_once) {
  for (const std::uint32_t parts : {1u, 3u}) {
    const std::vector<Plan> plans = exchanges_on(GetParam(), parts);
    EXPECT_GE(plans.size(), 4u);
    for (const Plan& plan : plans) {
      EXPECT_TRUE(is_complete(plan)) << plan.schedule.round_count() << " rounds";
      EXPECT_EQ(fault_of(verify::verify(plan)), "");
    }
  }
}

// One value more, less or twice is found here and by the checker.
TEST_P(Exchanges, are_incomplete_if_a_value_is_changed) {
  for (const Plan& plan : exchanges_on(GetParam(), 1)) {
    std::vector<Plan> damaged(3, plan);
    auto& fewer = damaged[0].schedule.stages[0].result[0];
    if (fewer.size() > 1) {
      fewer.pop_back();
    } else {
      fewer[0] = fewer[0] == 0 ? 1 : 0;
    }
    damaged[1].schedule.stages[0].result[0].push_back(0);
    auto& sums = damaged[2].schedule.stages[0].sums;
    sums.back().values.push_back(sums.back().values.front());
    for (const Plan& wrong : damaged) {
      EXPECT_FALSE(is_complete(wrong));
      EXPECT_FALSE(verify::verify(wrong).valid);
      EXPECT_FALSE(local::run(wrong, {.block_bytes = 400, .threads = 2}).correct);
    }
  }
}

TEST_P(Exchanges, end_with_the_sum_of_real_vectors) {
  for (const Plan& plan : exchanges_on(GetParam(), 3)) {
    const local::Reduction sum{local::Type::float64, local::Operation::sum};
    const local::RunResult result = local::run(plan, {.block_bytes = 1000, .reduction = sum, .threads = 2});
    EXPECT_TRUE(result.correct) << result.first_error;
    EXPECT_EQ(result.bytes_checked, plan.network.order() * 1000u);
    EXPECT_EQ(result.rounds, plan.schedule.round_count());
    EXPECT_LE(result.largest_rounding, result.rounding_bound);
  }
}

// What an allgather copies, gather-then-reduce carries at the same times.
TEST_P(Exchanges, take_as_long_as_the_allgather_that_they_gather_by) {
  for (const Plan& plan : exchanges_on(GetParam(), 1)) {
    if (plan.overlay) continue;
    const std::uint32_t parts = plan.task.parts;
    auto copies = gathered_copies(plan.network, parts, plan.schedule);
    if (!copies) continue;
    Plan gather = plan;
    gather.task.collective = Collective::allgather;
    gather.schedule = std::move(*copies);
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      const cost::Machine machine{.startup_s = 1, .byte_time_s = 0.125, .ports = ports};
      const auto load = cost::Workload::in_parts(24, parts);
      EXPECT_DOUBLE_EQ(complete(plan, machine, load).completion_s,
                       complete(gather, machine, load).completion_s);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, Exchanges,
                         testing::Values("torus:4x2", "ring:8", "ring:16", "hypercube:3", "torus:3x3",
                                         "ring:3", "hypercube:2"));

// Groups whose moduli are powers of two: log2 N messages of the whole vector.
TEST(RecursiveDoubling, doubles_what_nodes_have) {
  for (const auto& [network, rounds] : {std::pair{"torus:4x2", 3u},
                                        {"ring:8", 3u},
                                        {"ring:16", 4u},
                                        {"hypercube:3", 3u},
                                        {"twisted-torus:2x2x4", 4u}}) {
    const Problem problem = problem_on(network, "allreduce");
    const Algorithm& algorithm = algorithm_named("recursive-doubling", Collective::allreduce);
    if (unsupported_reason(algorithm, problem)) continue;
    const Plan plan = make_plan(problem, algorithm, {});
    EXPECT_EQ(plan.schedule.round_count(), rounds) << network;
    EXPECT_TRUE(is_complete(plan)) << network;
    if (!plan.overlay) {
      const auto load = cost::Workload::in_parts(8, 1);
      EXPECT_DOUBLE_EQ(complete(plan, {.startup_s = 3, .byte_time_s = 0.5}, load).completion_s, 7 * rounds);
    }
    const schedule::Stage& stage = plan.schedule.stages[0];
    for (std::uint32_t round = 0; round < rounds; ++round) {
      ASSERT_EQ(stage.rounds.round(round).size(), 1u);
      EXPECT_EQ(stage.sums[round].values.size(), round + 1);
    }
  }
}

}  // namespace
}  // namespace isotrope::planner
