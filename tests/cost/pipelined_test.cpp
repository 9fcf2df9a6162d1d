// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/pipelined.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace isotrope::cost {
namespace {

constexpr double micro = 1e-6;

Machine with_overheads(double send_us, double receive_us) {
  Machine machine;
  machine.startup_s = micro;
  machine.byte_time_s = 1e-9;
  machine.overhead_s = send_us * micro;
  machine.receive_overhead_s = receive_us * micro;
  machine.cut_through = true;
  machine.hop_time_s = micro;
  return machine;
}

// Both ways round a ring of 27 nodes: P segments take P + 12 rounds.
constexpr PipelinedTrees single_tree{{.per_packet = 1, .fill = 12}, 2};

double microseconds(std::uint32_t segments, const Machine& machine) {
  return 1e6 * pipelined(single_tree, 65536, segments, segments + 12, 2, machine).seconds;
}

// In SimGrid, with overheads of 1 us at both ends.
TEST(Pipelined, single_tree_takes_the_time_of_SimGrid) {
  const Machine machine = with_overheads(1, 1);
  const std::pair<std::uint32_t, double> measured[] = {
      {16, 176.77}, {20, 161.34}, {24, 152.83}, {28, 143.65}, {32, 136.84}};
  for (const auto& [segments, us] : measured)
    EXPECT_NEAR(microseconds(segments, machine) / us, 1, 0.04) << segments;
}

// A node receives one segment a round and sends one on, so segments of two overheads keep up with the links.
TEST(Pipelined, single_tree_tries_segments_that_its_nodes_are_busy_with) {
  const Machine machine = with_overheads(1, 1);
  double best = std::numeric_limits<double>::infinity();
  for (const std::uint32_t segments : pipelined_segments(single_tree, 65536, 2, 1000, machine)) {
    const Prediction each = pipelined(single_tree, 65536, segments, segments + 12, 2, machine);
    if (links_bound(single_tree, each, machine)) best = std::min(best, 1e6 * each.seconds);
  }
  EXPECT_LT(best, 140);
}

TEST(Pipelined, root_is_busy_with_a_message_over_every_port) {
  const Machine machine = with_overheads(3, 0);
  const Prediction segments_of_5_us = pipelined(single_tree, 65536, 13, 25, 2, machine);
  EXPECT_LT(segments_of_5_us.segment_bytes, 6000u);
  EXPECT_FALSE(links_bound(single_tree, segments_of_5_us, machine));
}

TEST(Pipelined, reduces_are_broadcasts_backwards) {
  EXPECT_EQ(microseconds(32, with_overheads(2, 1)), microseconds(32, with_overheads(1, 2)));
}

}  // namespace
}  // namespace isotrope::cost
