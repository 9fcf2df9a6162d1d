// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/plan_repair.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/delivery.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using network::Failures;
using network::Network;
using schedule::Collective;
using schedule::PortModel;

schedule::Schedule whole_plan(const Network& network, std::uint32_t parts) {
  const schedule::Problem problem{.network = network,
                                  .task = {.collective = Collective::alltoall, .parts = parts}};
  return task_routing({network, {}}, deliveries_of(problem), parts, PortModel::all(), {.runs = 1});
}

// The repaired plan, checked.
verify::Report repaired(const char* name, const Failures& failed, std::uint32_t parts = 1) {
  const Network network = network::parse(name);
  const schedule::Problem problem{
      .network = network, .failed = failed, .task = {.collective = Collective::alltoall, .parts = parts}};
  const std::uint64_t bound = bound::lower_bounds(problem).front().value;
  const auto schedule = repair_total_exchange({network, failed}, problem.task, whole_plan(network, parts),
                                              16 * bound, {.target = bound});
  EXPECT_TRUE(schedule.has_value());
  return verify::verify({network, failed, problem.task, schedule.value(), {}, {}});
}

struct Damage {
  const char* network;
  Failures failed;
};

TEST(PlanRepair, meets_the_bound_around_single_failures) {
  for (const auto& [name, failed] : {Damage{"torus:4x4", {{5}, {}}}, Damage{"torus:5x5", {{}, {{7, 1}}}},
                                     Damage{"torus:3x3x3", {{13}, {}}}, Damage{"hypercube:4", {{}, {{3, 2}}}},
                                     Damage{"circulant:17:1,4", {{2}, {}}}}) {
    for (const std::uint32_t parts : {1u, 2u}) {
      const verify::Report report = repaired(name, failed, parts);
      EXPECT_TRUE(report.valid) << name;
      EXPECT_LE(report.rounds, report.bound.value + 1) << name << ", " << parts << " parts";
    }
  }
}

// What is left may be any graph: a path, or a star of paths.
TEST(PlanRepair, finds_plans_on_what_little_is_left) {
  for (const auto& [name, failed] : {Damage{"ring:9", {{4}, {}}}, Damage{"torus:3x3", {{4, 0, 8}, {}}},
                                     Damage{"hypercube:3", {{7}, {{0, 0}, {0, 1}}}},
                                     Damage{"complete:6", {{}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}}}}) {
    const verify::Report report = repaired(name, failed);
    EXPECT_TRUE(report.valid) << name;
    EXPECT_LE(report.rounds, report.bound.value + 4) << name;
  }
}

// Whoever plans finds the same plan.
TEST(PlanRepair, is_the_same_every_time) {
  const Network network = network::parse("torus:5x5");
  const schedule::Task task{.collective = Collective::alltoall};
  const schedule::Schedule whole = whole_plan(network, 1);
  const network::SurvivingNetwork survivors(network, {{3}, {{11, 2}}});
  EXPECT_EQ(repair_total_exchange(survivors, task, whole, 100, {.target = 10}),
            repair_total_exchange(survivors, task, whole, 100, {.target = 10}));
}

TEST(PlanRepair, tells_that_the_rounds_do_not_suffice) {
  const Network network = network::parse("torus:4x4");
  const network::SurvivingNetwork survivors(network, {{5}, {}});
  EXPECT_FALSE(repair_total_exchange(survivors, {.collective = Collective::alltoall}, whole_plan(network, 1),
                                     4, {.target = 3}));
}

}  // namespace
}  // namespace isotrope::algorithm
