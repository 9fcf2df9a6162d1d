// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/run_statistics.hpp"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"

#include "tests/cost/plans.hpp"

namespace isotrope::simulate {
namespace {

using testing::HasSubstr;

// Squares 2.25 + 0.25 + 0.25 + 2.25 = 5, deviation sqrt(5/3); Student's quantile with 3 degrees of freedom is
// 3.182446 in every table.
TEST(Summary, of_four_values) {
  const Summary summary = summarize(std::vector<double>{4, 1, 3, 2});
  EXPECT_EQ(summary.mean, 2.5);
  EXPECT_EQ(summary.smallest, 1);
  EXPECT_EQ(summary.largest, 4);
  EXPECT_NEAR(summary.deviation, 1.2909944, 1e-7);
  EXPECT_NEAR(summary.confidence_95.value(), 3.182446 * 1.2909944 / 2, 1e-6);
}

TEST(Summary, of_one_value_has_no_interval) {
  const Summary summary = summarize(std::vector<double>{7});
  EXPECT_EQ(summary.mean, 7);
  EXPECT_EQ(summary.deviation, 0);
  EXPECT_FALSE(summary.confidence_95.has_value());
}

TEST(RunStatistics, sum_up_the_runs_of_consecutive_seeds) {
  const auto cube = network::hypercube(4);
  const auto task = schedule::parse_task("alltoall", cube);
  const PacketSimulator simulator(cube, {schedule::relative_destinations(cube, task)}, {});
  std::vector<double> rounds;
  std::vector<double> delays;
  std::vector<double> queues;
  std::vector<double> longest;
  for (std::uint64_t seed = 30; seed < 40; ++seed) {
    const PacketRun run = simulator.run(seed);
    rounds.push_back(static_cast<double>(run.rounds));
    delays.push_back(run.mean_delay());
    queues.push_back(run.mean_queue);
    longest.push_back(static_cast<double>(run.longest_queue));
  }
  double told = 0;
  const RunStatistics statistics = run_statistics(simulator, 30, 10, [&](double share) { told = share; });
  EXPECT_EQ(statistics.runs, 10U);
  EXPECT_EQ(statistics.rounds.mean, summarize(rounds).mean);
  EXPECT_EQ(statistics.rounds.largest, std::ranges::max(rounds));
  EXPECT_EQ(statistics.mean_delay.deviation, summarize(delays).deviation);
  EXPECT_EQ(statistics.mean_queue.mean, summarize(queues).mean);
  EXPECT_EQ(statistics.longest_queue.smallest, std::ranges::min(longest));
  EXPECT_EQ(told, 1);
  EXPECT_THAT(cost::error_of([&] { run_statistics(simulator, 1, 0); }), HasSubstr("give one run or more"));
}

}  // namespace
}  // namespace isotrope::simulate
