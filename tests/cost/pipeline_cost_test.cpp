// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/pipeline_cost.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace isotrope::cost {
namespace {

// 2p + 3 rounds, 1200 bytes, tau = 4, t_c = 0.5: B = sqrt(2 * 1200 * 4 / (3 * 0.5)) = 80, and
// T = (2 * 15 + 3) (4 + 40) = 1452 = (sqrt(1200) + sqrt(12))^2.
TEST(PipelineCost, gives_the_papers_optimum) {
  const PipelineCost cost{2, 3};
  const cost::Machine machine{.startup_s = 4, .byte_time_s = 0.5};
  EXPECT_DOUBLE_EQ(cost.best_packet(1200, machine), 80);
  EXPECT_DOUBLE_EQ(cost.least_time(1200, machine), 1452);
  EXPECT_NEAR(cost.least_time(1200, machine), std::pow(std::sqrt(1200) + std::sqrt(12), 2), 1e-9);
}

TEST(PipelineCost, sends_one_packet_where_nothing_fills) {
  const cost::Machine machine{.startup_s = 4, .byte_time_s = 0.5};
  EXPECT_DOUBLE_EQ((PipelineCost{5, 0}.best_packet(1200, machine)), 1200);
  EXPECT_DOUBLE_EQ((PipelineCost{5, 0}.least_time(1200, machine)), 5 * 604);
}

TEST(PipelineCost, never_exceeds_the_message) {
  const cost::Machine machine{.startup_s = 1000, .byte_time_s = 0.5};
  EXPECT_DOUBLE_EQ((PipelineCost{2, 3}.best_packet(10, machine)), 10);
}

// The least of T(B) over whole packets is never below the formula, and near it where packets are many.
TEST(PipelineCost, bounds_all_packet_sizes) {
  const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};
  for (const PipelineCost cost : {PipelineCost{1, 6}, PipelineCost{2, 61}, PipelineCost{1.0 / 6, 6}}) {
    for (const double bytes : {1e3, 1e5, 1e7}) {
      double least = INFINITY;
      for (double packets = 1; packets <= 20000 && packets <= bytes; ++packets) {
        const double rounds = std::ceil(cost.per_packet * packets) + cost.fill;
        least = std::min(
            least, rounds * machine.message_time(static_cast<std::uint64_t>(std::ceil(bytes / packets))));
      }
      EXPECT_GE(least * (1 + 1e-12), cost.least_time(bytes, machine));
      EXPECT_LE(least, 1.25 * cost.least_time(bytes, machine));
    }
  }
}

TEST(PipelineCost, without_startups_or_byte_times) {
  EXPECT_DOUBLE_EQ((PipelineCost{2, 3}.least_time(100, {.startup_s = 0, .byte_time_s = 1})), 200);
  EXPECT_DOUBLE_EQ((PipelineCost{2, 3}.best_packet(100, {.startup_s = 1, .byte_time_s = 0})), 100);
}

}  // namespace
}  // namespace isotrope::cost
