// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/routed_rounds.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::cost {
namespace {

using network::Network;
using network::Node;
using schedule::Hop;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// One round in which every node sends `packets` packets to each of the nodes at `offsets`.
CutThroughRound round_to(std::string_view name, const std::vector<std::pair<Node, std::uint32_t>>& offsets) {
  const Network machine = network::parse(name);
  std::vector<Node> generators;
  for (const auto& [offset, packets] : offsets) {
    for (const Node each : {offset, machine.group().negate(offset)}) {
      if (std::ranges::find(generators, each) == generators.end()) generators.push_back(each);
    }
  }
  if (std::ranges::find(generators, Node{1}) == generators.end()) {
    generators.push_back(1);
    generators.push_back(machine.group().negate(1));
  }
  const Network overlay("cayley", machine.group(), generators);
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  for (Node node = 0; node < machine.order(); ++node) {
    for (const auto& [offset, packets] : offsets) {
      const auto port = std::ranges::find(generators, offset) - generators.begin();
      for (std::uint32_t i = 0; i < packets; ++i)
        stage.rounds.add(Hop{i, node, static_cast<network::Port>(port)});
    }
  }
  stage.rounds.close_round();
  const auto rounds =
      routed_rounds(machine, {}, overlay, {schedule::PortModel::all(), {}, {std::move(stage)}});
  EXPECT_EQ(rounds.size(), 1u);
  return rounds.front();
}

TEST(RoutedRounds, count_messages_and_packets) {
  const CutThroughRound round = round_to("ring:8", {{1, 2}, {3, 1}});
  EXPECT_EQ(round.messages, 2u);
  EXPECT_EQ(round.received, 2u);
  EXPECT_EQ(round.sent, 3u);
  EXPECT_EQ(round.largest, 2u);
  EXPECT_EQ(round.hops, 3u);
}

// Every link carries the packets of the three nodes before it, and two of the nearest.
TEST(RoutedRounds, count_what_links_carry_by_distance) {
  const CutThroughRound round = round_to("ring:8", {{1, 2}, {3, 1}});
  EXPECT_EQ(round.busiest, 5u);
  EXPECT_THAT(round.far, ElementsAre(FarLoad{1, 5, 2, 2}, FarLoad{3, 3, 1, 1}));
}

// Half of the nodes go each way round.
TEST(RoutedRounds, split_ways_of_equal_length) {
  EXPECT_EQ(round_to("ring:4", {{2, 1}}).busiest, 1u);
  EXPECT_EQ(round_to("ring:8", {{4, 1}}).busiest, 2u);
  EXPECT_EQ(round_to("ring:5", {{2, 1}}).busiest, 2u);
}

// Two links side by side carry half each, rounded up.
TEST(RoutedRounds, share_links_side_by_side) {
  EXPECT_EQ(round_to("ring:8@2", {{1, 2}, {3, 1}}).busiest, 3u);
  EXPECT_EQ(round_to("torus:4x4@2,3", {{4, 6}, {1, 6}}).busiest, 3u);
}

// Links of both axes, one hop each.
TEST(RoutedRounds, follow_shortest_paths_of_the_machine) {
  const CutThroughRound round = round_to("torus:4x4", {{5, 1}});
  EXPECT_EQ(round.hops, 2u);
  EXPECT_EQ(round.busiest, 1u);
}

// Two packets to (1, 1) and one to (0, 1) of torus:4x4: both axes by two hops, axis 1 by one.
TEST(RoutedRounds, count_what_links_of_every_axis_carry) {
  const CutThroughRound round = round_to("torus:4x4", {{5, 2}, {1, 1}});
  EXPECT_THAT(round.far, ElementsAre(FarLoad{1, 3, 2, 2}, FarLoad{2, 2, 1, 1}));
  EXPECT_THAT(round.axes, UnorderedElementsAre(AxisLoad{2, 0, 2}, AxisLoad{2, 1, 2}, AxisLoad{1, 0, 2},
                                               AxisLoad{1, 1, 3}));
}

// Start-ups of 1 and 4 s, 1 and 3 s a byte: over axis 0 alone 1 s and 2 bytes; with two hops over both axes 4 s, 1 s for the
// second link, and 3 bytes over axis 1.
TEST(CutThrough, counts_links_of_every_axis_with_their_times) {
  const Machine machine{.startup_s = 1, .byte_time_s = 1, .cut_through = true, .hop_time_s = 1};
  const std::vector<LinkTime> times{{1, 1, 1}, {4, 3, 1}, {9, 9, 1}};
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round_to("torus:4x4", {{4, 2}})}, 1, machine, times).seconds, 3);
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round_to("torus:4x4", {{5, 1}})}, 1, machine, times).seconds, 8);
  const Prediction both =
      cut_through(std::vector{round_to("torus:4x4", {{4, 2}, {1, 2}})}, 1, machine, times);
  EXPECT_DOUBLE_EQ(both.seconds, 10);
  EXPECT_DOUBLE_EQ(both.transfer_s, 6);
  EXPECT_DOUBLE_EQ(both.startup_s, 4);
}

// Times by axis that are the machine's change nothing.
TEST(CutThrough, is_the_same_if_all_axes_are_alike) {
  const Machine machine{
      .startup_s = 1, .byte_time_s = 0.5, .overhead_s = 0.25, .cut_through = true, .hop_time_s = 1};
  const std::vector<LinkTime> times(3, {1, 0.5, 1});
  for (const auto& offsets : std::vector<std::vector<std::pair<Node, std::uint32_t>>>{
           {{4, 2}}, {{5, 1}, {10, 3}}, {{4, 1}, {1, 1}, {6, 2}}}) {
    const std::vector rounds{round_to("torus:4x4", offsets)};
    EXPECT_DOUBLE_EQ(cut_through(rounds, 3, machine, times).seconds, cut_through(rounds, 3, machine).seconds);
    EXPECT_DOUBLE_EQ(cut_through(rounds, 3, machine, times).transfer_s,
                     cut_through(rounds, 3, machine).transfer_s);
  }
}

// 3 hops: 3 us, then 3 packets; all: 1 us, then 5.
TEST(CutThrough, waits_for_messages_from_far_away) {
  const Machine machine{.startup_s = 1, .byte_time_s = 1, .cut_through = true, .hop_time_s = 1};
  const std::vector rounds{round_to("ring:8", {{1, 2}, {3, 1}})};
  EXPECT_DOUBLE_EQ(cut_through(rounds, 1, machine).seconds, 6);
  Machine quick = machine;
  quick.byte_time_s = 0.125;
  EXPECT_DOUBLE_EQ(cut_through(rounds, 1, quick).seconds, 3 + 0.375);
}

// Three messages of a root, the first one to a node 4 links away, take 1 + 4 us, the last one of the others 3 + 2 us,
// and one to take 1 us; in any order 3 + 4 + 1 us.
TEST(CutThrough, lets_farthest_messages_leave_first) {
  const Machine machine{.startup_s = 1,
                        .byte_time_s = 0,
                        .overhead_s = 1,
                        .receive_overhead_s = 1,
                        .cut_through = true,
                        .hop_time_s = 1};
  CutThroughRound round{.messages = 3, .received = 1, .sent = 3, .largest = 1, .busiest = 1, .hops = 4};
  round.far = {{2, 1, 3, 1}, {4, 1, 1, 1}};
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round}, 1, machine).seconds, 6);
  round = {.messages = 1, .received = 3, .sent = 1, .largest = 1, .busiest = 1, .hops = 4};
  round.far = {{2, 1, 1, 3}, {4, 1, 1, 1}};  // reversed: two come after 3 us, one after 5 us
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round}, 1, machine).seconds, 6);
  round = {.messages = 2, .received = 2, .sent = 2, .largest = 1, .busiest = 1, .hops = 3};
  round.far = {{2, 1, 2, 2}, {3, 1, 1, 1}};  // both come after 4 us
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round}, 1, machine).seconds, 6);
  round = {.messages = 3, .received = 1, .sent = 3, .largest = 1, .busiest = 1, .hops = 4};
  round.far = {{2, 1}, {4, 1}};
  EXPECT_DOUBLE_EQ(cut_through(std::vector{round}, 1, machine).seconds, 8);
}

}  // namespace
}  // namespace isotrope::cost
