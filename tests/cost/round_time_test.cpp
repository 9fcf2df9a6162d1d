// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"
#include "isotrope/algorithm/exchange/total_exchange.hpp"

#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using schedule::Flow;
using schedule::PortModel;
using schedule::RoundKind;
using testing::HasSubstr;

// Packets of 8 bytes: two over port 0 and one over port 1, none, one.
TEST(RoundTime, is_that_of_the_most_loaded_link) {
  const auto ring = network::parse("ring:4");
  const auto plan =
      checked_plan(ring, "scatter", 0, 1,
                   schedule_of(PortModel::all(), Flow::move,
                               {{{1, 0, 0}, {2, 0, 0}, {3, 0, 1}}, {}, {{2, 1, 0}}}, RoundKind::aggregated));
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25};
  EXPECT_EQ(round_time(plan, machine, {8, 8}), (2 + 4) + 0 + (2 + 2));
}

// Node 0 sends two messages in the first round, node 1 one in the last.
TEST(RoundTime, counts_the_messages_of_the_busiest_node) {
  const auto ring = network::parse("ring:4");
  const auto plan =
      checked_plan(ring, "scatter", 0, 1,
                   schedule_of(PortModel::all(), Flow::move,
                               {{{1, 0, 0}, {2, 0, 0}, {3, 0, 1}}, {}, {{2, 1, 0}}}, RoundKind::aggregated));
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25, .overhead_s = 0.5};
  EXPECT_EQ(round_time(plan, machine, {8, 8}), (1 + 2 + 4) + 0 + (0.5 + 2 + 2));
  const Machine taking{.startup_s = 2, .byte_time_s = 0.25, .receive_overhead_s = 0.5};
  EXPECT_EQ(round_time(plan, taking, {8, 8}), (2 + 4 + 0.5) + 0 + (2 + 2 + 0.5));
}

TEST(RoundTime, knows_short_parts_and_internal_packets) {
  const auto plan =
      checked_plan(network::hypercube(1), "broadcast", 0, 3,
                   schedule_of(PortModel::one(), Flow::copy, {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}}));
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25, .internal_packet = 2};
  EXPECT_EQ(round_time(plan, machine, {10, 4}), (4 + 1) + (4 + 1) + (2 + 0.5));
}

// Ho and Johnsson 1986, Section 3.3: rounds (tau + B t_c).
TEST(RoundTime, is_the_formula_of_the_paper_for_equal_packets) {
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25};
  for (std::uint32_t n = 2; n <= 6; ++n) {
    const auto cube = network::hypercube(n);
    for (std::uint32_t p : {1u, 2u, 5u, 12u}) {
      const auto broadcast =
          checked_plan(cube, "broadcast", 1, p, algorithm::msbt_broadcast(n, 1, p, PortModel::one()));
      EXPECT_EQ(round_time(broadcast, machine, Workload::in_parts(64 * p, p)), (p + n) * (2 + 16));
      const auto exchange = checked_plan(cube, "alltoall", 0, p, algorithm::total_exchange(n, p));
      EXPECT_EQ(round_time(exchange, machine, Workload::in_parts(64 * p, p)),
                cube.order() / 2 * p * (2 + 16));
    }
  }
}

TEST(RoundTime, refuses_bad_input) {
  auto plan = checked_plan(network::hypercube(2), "alltoall", 0, 1, algorithm::total_exchange(2, 1));
  EXPECT_THAT(error_of([&] { round_time(plan, {.startup_s = -1}, {}); }), HasSubstr("start-up"));
  EXPECT_THAT(error_of([&] { round_time(plan, {}, {8, 4}); }), HasSubstr("into 2 parts, and the plan has 1"));
  plan.schedule.stages[0].rounds.add({0, 4, 0});
  plan.schedule.stages[0].rounds.close_round();
  EXPECT_THAT(error_of([&] { round_time(plan, {}, {}); }), HasSubstr("from node 4 over port 0 lies outside"));
}

}  // namespace
}  // namespace isotrope::cost
