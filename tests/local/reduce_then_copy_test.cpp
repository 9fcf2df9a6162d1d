// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of plans that reduce and then copy: on any number of threads, replicated, and damaged.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/allreduce/mirrored_broadcasts.hpp"
#include "isotrope/local/run.hpp"
#include "isotrope/verify/verify.hpp"

#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Flow;
using schedule::Plan;
using schedule::Replication;

Plan plan_of(const char* network, Replication replication, const HopTable& hops) {
  Plan plan = empty_plan(network, schedule::Collective::allreduce);
  plan.schedule.stages = {{Flow::reduce_then_copy, replication, {}, rounds(hops)}};
  return plan;
}

std::string error_with_threads(const Plan& plan, unsigned threads = 2) {
  const RunResult result =
      run(plan, {.block_bytes = 24, .reduction = {Type::int32, Operation::sum}, .threads = threads});
  return result.correct ? "" : result.first_error;
}

// Node 2 sends to 1, then 1 and 3 to 0; the mirror in reverse.
TEST(ReduceThenCopyRun, adds_and_copies) {
  const Plan plan = plan_of("ring:4", Replication::none(),
                            {{{0, 2, 1}}, {{0, 1, 1}, {0, 3, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}}});
  for (const unsigned threads : {1U, 2U, 4U}) EXPECT_EQ(error_with_threads(plan, threads), "");
  const RunResult result = run(plan, {.block_bytes = 24, .threads = 2});
  EXPECT_EQ(result.bytes_moved, 6U * 24);
  EXPECT_EQ(result.bytes_checked, 4U * 24);
}

TEST(ReduceThenCopyRun, lacks_what_is_not_copied) {
  const Plan plan =
      plan_of("ring:4", Replication::none(), {{{0, 2, 1}}, {{0, 1, 1}, {0, 3, 0}}, {{0, 0, 0}, {0, 0, 1}}});
  EXPECT_NE(error_with_threads(plan), "");
}

// A result that a node has already is not added.
TEST(ReduceThenCopyRun, takes_a_result_twice) {
  const Plan plan = plan_of("ring:3", Replication::none(),
                            {{{0, 1, 1}, {0, 2, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {0, 2, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(error_with_threads(plan), "");
}

TEST(ReduceThenCopyRun, is_replicated_by_translations) {
  const Plan plan = plan_of("ring:3", Replication::all(), {{{0, 1, 1}, {0, 2, 0}}, {{0, 0, 0}, {0, 0, 1}}});
  ASSERT_TRUE(verify::verify(plan).valid);
  EXPECT_EQ(error_with_threads(plan), "");
}

// What the checker accepts is correct; what it refuses is safe to run.
TEST(ReduceThenCopyRun, is_correct_if_the_checker_accepts_it) {
  const network::NamedNetwork mesh = network::parse_named("mesh:2x3");
  Plan plan{mesh.network, mesh.lacks, {.collective = schedule::Collective::allreduce, .parts = 2},
            {},           {},         {}};
  plan.schedule = algorithm::mirrored_broadcasts({mesh.network, mesh.lacks}, 2, {.runs = 1});
  const HopTable whole = table(plan.schedule.stages[0].rounds);
  for (std::size_t t = 0; t < whole.size(); ++t) {
    for (std::size_t to = 0; to < whole.size(); ++to) {  // the first hop of a round in another one
      if (whole[t].empty()) continue;
      HopTable hops = whole;
      const schedule::Hop hop = hops[t].front();
      hops[t].erase(hops[t].begin());
      hops[to].push_back(hop);
      plan.schedule.stages[0].rounds = rounds(hops);
      const std::string error = error_with_threads(plan);
      if (!verify::verify(plan).valid) continue;
      EXPECT_EQ(error, "") << "from round " << t << " to " << to;
    }
  }
}

}  // namespace
}  // namespace isotrope::local
