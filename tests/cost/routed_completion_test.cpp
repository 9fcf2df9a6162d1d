// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/routed_completion.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/cut_through.hpp"
#include "isotrope/cost/routed_rounds.hpp"
#include "isotrope/cost/shares.hpp"

#include "isotrope/algorithm/levels/group_levels.hpp"
#include "isotrope/algorithm/levels/levels.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

namespace isotrope::cost {
namespace {

constexpr std::uint64_t enough_work = std::uint64_t{1} << 20;

using algorithm::LevelShape;
using network::Network;
using network::Node;

// Seconds: a start-up, a hop and a byte take 1.
Machine machine_with(double overhead_s) {
  Machine machine;
  machine.startup_s = machine.byte_time_s = machine.hop_time_s = 1;
  machine.ports = schedule::PortModel::all();
  machine.overhead_s = machine.receive_overhead_s = overhead_s;
  machine.cut_through = true;
  return machine;
}

double seconds_of(const RoutedMessages& messages, std::uint64_t bytes, double overhead_s) {
  std::uint64_t work = enough_work;
  return *messages.completion(std::array{bytes}, machine_with(overhead_s), work);
}

struct Sent {
  Node from, to;
};

// One round of these messages, of one part.
double seconds_of(std::string_view name, const std::vector<Sent>& messages, std::uint64_t bytes,
                  double overhead_s = 0) {
  const Network network = network::parse(name);
  algorithm::OverlayRounds rounds(network);
  for (const auto& [from, to] : messages) rounds.add(0, from, to);
  rounds.close_round();
  const schedule::PortModel all = schedule::PortModel::all();
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}, {{0, {0}}}};
  const auto written = rounds.finish(std::move(stage), all, 1);
  const RoutedMessages routed(network, {}, written.overlay, written.schedule,
                              {.collective = schedule::Collective::allreduce}, 1);
  return seconds_of(routed, bytes, overhead_s);
}

TEST(RoutedCompletion, of_one_message) {
  EXPECT_DOUBLE_EQ(seconds_of("ring:8", {{0, 3}}, 4), 3 + 4);
  EXPECT_DOUBLE_EQ(seconds_of("ring:8", {{0, 3}}, 4, 1), 1 + 3 + 4 + 1);
  EXPECT_DOUBLE_EQ(seconds_of("ring:8@4", {{0, 3}}, 4), 3 + 1);
}

// A processor prepares its messages one after the other, and takes what comes likewise.
TEST(RoutedCompletion, has_processors_do_one_thing_at_a_time) {
  EXPECT_DOUBLE_EQ(seconds_of("ring:8", {{0, 1}, {0, 7}}, 4, 1), 2 + 1 + 4 + 1);
  EXPECT_DOUBLE_EQ(seconds_of("ring:8", {{1, 0}, {7, 0}}, 4, 1), 1 + 1 + 4 + 2);
}

// From 3 s on both use the link 2 -> 3, the near one with 3/4 of it: it has 2 bytes left then and ends at 3 + 8/3; the far one
// has sent 2/3 of a byte by then.
TEST(RoutedCompletion, shares_links_by_distance) {
  EXPECT_NEAR(seconds_of("ring:8", {{0, 3}, {2, 3}}, 4), 3 + 8 / 3.0 + (4 - 2 / 3.0), 1e-9);
}

// The near one is alone until 2 s, the far one from 5 s on.
TEST(RoutedCompletion, shares_a_link_as_long_as_both_use_it) {
  EXPECT_NEAR(seconds_of("ring:8", {{0, 2}, {1, 2}}, 3), 2 + 3 + 2, 1e-9);
}

double by_levels(std::string_view name, const LevelShape& shape, std::uint32_t chains, std::uint64_t bytes,
                 double overhead_s) {
  const Network network = network::parse(name);
  const auto written = exchange_by_levels(network, torus_levels(*network::split_torus(network, {}), shape),
                                          schedule::PortModel::all());
  const RoutedMessages routed(network, {}, written.overlay, written.schedule,
                              {.collective = schedule::Collective::allreduce, .parts = written.parts},
                              chains);
  return seconds_of(routed, bytes, overhead_s);
}

// Round by round: both prepared after 2 s, on their way for 5 s, taken after 1 s. In chains: the first one ends its rounds at 7,
// 14 and 21, the second one at 9, 16 and 23, as both processors are busy with the first one before.
TEST(RoutedCompletion, lets_chains_go_on_by_themselves) {
  const LevelShape shape{0, 1, LevelShape::Program::stages, 2};
  EXPECT_DOUBLE_EQ(by_levels("hypercube:3", shape, 1, 4, 1), 3 * 8);
  EXPECT_DOUBLE_EQ(by_levels("hypercube:3", shape, 2, 4, 1), 23);
}

// Node 0 sends part 0 to node 1 and part 1 to node 7, then each to the other one; the parts are chains. So it prepares its first
// message of both chains before the second ones.
TEST(RoutedCompletion, has_chains_without_receipts_take_turns) {
  const Network network = network::parse("ring:8");
  algorithm::OverlayRounds rounds(network);
  for (const schedule::PacketId part : {0U, 1U}) rounds.add(part, 0, part == 0 ? 1 : 7);
  rounds.close_round();
  for (const schedule::PacketId part : {0U, 1U}) rounds.add(part, 0, part == 0 ? 7 : 1);
  rounds.close_round();
  const auto written = rounds.finish({schedule::Flow::copy, schedule::Replication::none(), {}, {}},
                                     schedule::PortModel::all(), 2);
  const RoutedMessages routed(network, {}, written.overlay, written.schedule,
                              {.collective = schedule::Collective::broadcast, .parts = 2}, 2);
  // Prepared at 1, 2, 3 and 4: parts of 2 bytes come at 1 + 3, 2 + 3, 3 + 3, 4 + 3, and are taken in 1.
  EXPECT_DOUBLE_EQ(seconds_of(routed, 2, 1), 8);
  // Parts of 4 bytes: the second one over each link begins at 4 and 5, the first ones end at 6 and 7; both share the link
  // from then on: 2 bytes left and 4 new ones end at 8 and 10 over one link, at 9 and 11 over the other.
  EXPECT_DOUBLE_EQ(seconds_of(routed, 4, 1), 12);
}

// A broadcast whose messages from one node to another are these, by round.
RoutedMessages sent_in_rounds(const Network& network,
                              const std::vector<std::vector<std::pair<Node, Node>>>& messages) {
  algorithm::OverlayRounds rounds(network);
  for (const auto& round : messages) {
    for (const auto& [from, to] : round) rounds.add(0, from, to);
    rounds.close_round();
  }
  const auto written = rounds.finish({schedule::Flow::copy, schedule::Replication::none(), {}, {}},
                                     schedule::PortModel::all(), 1);
  return {network, {}, written.overlay, written.schedule, {.collective = schedule::Collective::broadcast}, 1};
}

// The examples of schedule/send_order.hpp, and long messages over the same link.
TEST(RoutedCompletion, takes_the_order_of_sends_that_it_is_given) {
  const RoutedMessages routed = sent_in_rounds(network::parse("ring:8"), {{{0, 1}, {0, 3}}});
  Machine machine = machine_with(1);
  machine.receive_overhead_s = 0;
  const auto seconds = [&](std::uint64_t bytes, schedule::SendOrder order) {
    std::uint64_t work = enough_work;
    return *routed.completion(std::array{bytes}, machine, work, order);
  };
  machine.byte_time_s = 1e-9;
  EXPECT_NEAR(seconds(1, schedule::SendOrder{}), 4, 1e-6);
  EXPECT_NEAR(seconds(1, schedule::SendOrder{.nearest_first = true}), 5, 1e-6);
  machine.byte_time_s = 1;
  EXPECT_GT(seconds(8, schedule::SendOrder{}), seconds(8, schedule::SendOrder{.nearest_first = true}));
  EXPECT_TRUE(routed.are_distances_unlike());
  EXPECT_FALSE(routed.are_distances_alike());
}

TEST(RoutedCompletion, sends_over_the_last_port_first_if_it_is_told_so) {
  const RoutedMessages routed = sent_in_rounds(network::parse("ring:8"), {{{0, 1}, {0, 7}}, {{7, 6}}});
  Machine machine = machine_with(1);
  machine.receive_overhead_s = 0;
  machine.byte_time_s = 1e-9;
  for (const bool last_port_first : {false, true}) {
    std::uint64_t work = enough_work;
    EXPECT_NEAR(*routed.completion(std::array<std::uint64_t, 1>{1}, machine, work,
                                   {.last_port_first = last_port_first}),
                last_port_first ? 4 : 5, 1e-6);
  }
  EXPECT_TRUE(routed.are_distances_alike());
  EXPECT_FALSE(routed.are_distances_unlike());
}

// A stage of one hop over each of some ports in a round of its own, of all nodes: by the hops of node 0, or all written out.
schedule::Schedule moves_of_all(const Network& overlay, const std::vector<network::Port>& ports,
                                bool is_written_out, bool is_one_round) {
  schedule::Stage stage{schedule::Flow::move,
                        is_written_out ? schedule::Replication::none() : schedule::Replication::all(),
                        {},
                        {}};
  for (const network::Port port : ports) {
    for (Node node = 0; node < (is_written_out ? overlay.order() : 1); ++node) {
      stage.rounds.add({static_cast<schedule::PacketId>(stage.packets.size()), node, port});
      stage.packets.push_back({node, overlay.neighbour(node, port), 0, 0});
    }
    if (!is_one_round || port == ports.back()) stage.rounds.close_round();
  }
  return {schedule::PortModel::all(), schedule::RoundKind::aggregated, {std::move(stage)}};
}

RoutedMessages moves(const Network& network, const Network& overlay, const schedule::Schedule& schedule,
                     const network::Failures& lacks = {}) {
  return {network, lacks, overlay, schedule, {.collective = schedule::Collective::task}, 1};
}

// The nodes of an orbit under translations do the same, so one of them is followed: an even and an odd one, or one of all, however
// the plan is written. If a link is missing that no message needs, all are.
TEST(RoutedCompletion, follows_one_node_of_each_orbit) {
  for (const auto& [name, orbits] : {std::pair{"torus:4x4", 2U}, {"torus:3x3", 1U}, {"hypercube:3", 2U}}) {
    const Network network = network::parse(name);
    const std::vector<network::Port> ports{0, network.opposite(0)};
    const network::Failures unused({}, {{0, 2}});
    const auto all = moves(network, network, moves_of_all(network, ports, true, false), unused);
    EXPECT_EQ(all.messages(), 2 * network.order()) << name;
    for (const bool is_written_out : {false, true}) {
      const auto one = moves(network, network, moves_of_all(network, ports, is_written_out, false));
      EXPECT_EQ(one.messages(), 2 * orbits) << name;
      EXPECT_EQ(one.written_out(), all.messages()) << name;
      for (const double overhead_s : {0.0, 1.0})
        EXPECT_DOUBLE_EQ(seconds_of(one, 5, overhead_s), seconds_of(all, 5, overhead_s)) << name;
    }
  }
}

// All nodes to all others at once: far messages pass links of one orbit several times and share them with near ones. Over an overlay
// of another group, whose translations are no symmetries, all nodes are followed.
TEST(RoutedCompletion, of_an_exchange_is_that_of_all_nodes) {
  const struct {
    const char* name;
    std::vector<network::Coordinate> other_group;
  } cases[] = {{"ring:8", {2, 4}},           {"ring:9", {3, 3}},           {"torus:4x4", {16}},
               {"torus:3x4", {12}},          {"hypercube:4", {4, 4}},      {"circulant:12:1,5", {3, 4}},
               {"circulant:25:1,7", {5, 5}}, {"twisted-torus:2x2x4", {16}}};
  for (const auto& [name, other_group] : cases) {
    const Network network = network::parse(name);
    std::vector<Node> others(network.order() - 1);
    std::iota(others.begin(), others.end(), Node{1});
    std::vector<network::Port> ports(others.size());
    std::iota(ports.begin(), ports.end(), network::Port{0});
    const Network overlay("cayley", network.group(), others);
    const Network other("cayley", network::Group(other_group), others);
    const auto all = moves(network, other, moves_of_all(other, ports, true, true));
    EXPECT_EQ(all.messages(), network.order() * others.size()) << name;
    for (const bool is_written_out : {false, true}) {
      const auto listed = moves(network, overlay, moves_of_all(overlay, ports, is_written_out, true));
      EXPECT_LE(listed.messages(), 2 * others.size()) << name;
      for (const std::uint64_t bytes : {1U, 20U}) {
        const double expected = seconds_of(all, bytes, 0);
        EXPECT_NEAR(seconds_of(listed, bytes, 0), expected, 1e-6 * expected) << name;
      }
    }
  }
}

RoutedMessages levels_of(std::string_view name, const LevelShape& shape) {
  const Network network = network::parse(name);
  const auto written = exchange_by_levels(network, torus_levels(*network::split_torus(network, {}), shape),
                                          schedule::PortModel::all());
  return {network,
          {},
          written.overlay,
          written.schedule,
          {.collective = schedule::Collective::allreduce, .parts = written.parts},
          shape.copies};
}

// Nodes whose coordinates have the same parities send alike, whatever parts of sums their messages contain.
TEST(RoutedCompletion, follows_one_node_of_each_parity_through_levels) {
  for (const auto& [name, orbits] : {std::pair{"torus:8x8", 4U}, {"ring:16", 2U}, {"torus:9x9", 1U}}) {
    const auto messages = levels_of(name, {.divisions = 1, .copies = 2});
    EXPECT_EQ(messages.written_out(), messages.messages() / orbits * network::parse(name).order()) << name;
  }
}

// The same plans over an overlay of the same numbers whose group has one more coordinate: no translation is a symmetry there.
TEST(RoutedCompletion, of_orbits_is_that_of_all_nodes) {
  for (const char* name : {"circulant:28:1,6", "twisted-torus:4x8", "circulant:36:1,6", "circulant:27:1,5"}) {
    const Network network = network::parse(name);
    for (const LevelShape& shape : algorithm::group_shapes(network, 3)) {
      if (shape.copies > 2) continue;
      const auto written =
          exchange_by_levels(network, algorithm::group_levels(network, shape), schedule::PortModel::all());
      const schedule::Task task{.collective = schedule::Collective::allreduce, .parts = written.parts};
      std::vector<network::Coordinate> moduli(network.group().moduli().begin(),
                                              network.group().moduli().end());
      moduli.push_back(1);
      const auto generators = written.overlay.generators();
      const Network other("cayley", network::Group(moduli),
                          std::vector<Node>(generators.begin(), generators.end()));
      const RoutedMessages one(network, {}, written.overlay, written.schedule, task, shape.copies);
      const RoutedMessages all(network, {}, other, written.schedule, task, shape.copies);
      EXPECT_LT(one.messages(), all.messages()) << name << ", " << to_string(shape);
      for (const double overhead_s : {0.0, 1.0}) {
        const double expected = seconds_of(all, 20, overhead_s);
        EXPECT_NEAR(seconds_of(one, 20, overhead_s), expected, 1e-6 * expected)
            << name << ", " << to_string(shape);
      }
    }
  }
}

// What takes longer is not followed to its end.
TEST(RoutedCompletion, ends_at_the_limit) {
  for (const char* name : {"torus:8x8", "ring:27", "torus:4x4x4"}) {
    for (const double overhead_s : {0.0, 1.0}) {
      const auto messages = levels_of(name, {.divisions = 1, .copies = 2});
      const auto followed = [&](double limit) {
        std::uint64_t work = enough_work;
        const auto seconds = messages.completion(std::array<std::uint64_t, 1>{10}, machine_with(overhead_s),
                                                 work, schedule::SendOrder{}, limit);
        return std::pair(*seconds, enough_work - work);
      };
      const auto [seconds, work] = followed(std::numeric_limits<double>::infinity());
      EXPECT_EQ(followed(seconds).first, seconds) << name;
      for (const double part : {0.99, 0.5}) {
        const auto [none, work_to_limit] = followed(part * seconds);
        EXPECT_EQ(none, std::numeric_limits<double>::infinity()) << name;
        EXPECT_LE(work_to_limit, work) << name;
      }
      EXPECT_LT(followed(0.5 * seconds).second, work) << name;
    }
  }
}

// Where all nodes do the same in every round, and links are not shared by messages of several distances.
TEST(RoutedCompletion, is_that_of_rounds_if_all_is_alike) {
  for (const char* name : {"hypercube:4", "torus:4x4", "torus:3x3x3"}) {
    const Network network = network::parse(name);
    for (const std::uint32_t divisions : {0U, 1U, 2U}) {
      const LevelShape shape{divisions, 1, LevelShape::Program::stages, 1};
      const auto written = exchange_by_levels(
          network, torus_levels(*network::split_torus(network, {}), shape), schedule::PortModel::all());
      const auto rounds = routed_rounds(network, {}, written.overlay, written.schedule);
      for (const double overhead_s : {0.0, 1.0}) {
        EXPECT_NEAR(by_levels(name, shape, 1, 100, overhead_s),
                    cut_through(rounds, 100, machine_with(overhead_s)).seconds, 1e-6)
            << name << ", " << divisions;
      }
    }
  }
}

// Rounds of a message over every port, alike at all nodes.
RoutedMessages ring_rounds(std::uint64_t rounds, double overhead_s) {
  const std::vector<RoundLoad> loads(rounds, {.messages = 2, .sent = 2, .packets = 1, .received = 2});
  return RoutedMessages::of_alike_nodes(loads, machine_with(overhead_s));
}

TEST(RoutedCompletion, has_one_node_stand_for_all) {
  EXPECT_DOUBLE_EQ(seconds_of(ring_rounds(3, 0), 4, 0), 3 * (1 + 4));
  EXPECT_DOUBLE_EQ(seconds_of(ring_rounds(3, 1), 4, 1), 3 * (1 + 1 + 4 + 2));
}

// 1 : 2. Both share the link from 1 s on: the small one ends at 5 s, the large one at 7 s, while the small one starts up until 6 s and
// has the link with it for 1 s. From then on the small one comes when the large one ends.
TEST(RoutedCompletion, lets_shares_use_the_link_while_others_start_up) {
  std::uint64_t work = enough_work;
  const Machine machine = machine_with(0);
  const auto alone = ring_rounds(1, 0).completion(std::array<std::uint64_t, 2>{2, 4}, machine, work);
  EXPECT_DOUBLE_EQ(*alone, 1 + 6);
  const auto long_start_ups = ring_rounds(3, 0).completion(std::array<std::uint64_t, 2>{1, 1}, machine, work);
  EXPECT_DOUBLE_EQ(*long_start_ups, 3 * (1 + 2));  // together in every round
  const auto apart = ring_rounds(3, 0).completion(std::array<std::uint64_t, 2>{2, 4}, machine, work);
  EXPECT_LT(*apart, 3 * (1 + 6));
  EXPECT_GE(*apart, 1 + 3 * 6);
}

// With start-ups as long as all shares take, each has the link for itself in the second round.
TEST(RoutedCompletion, of_staggered_shares) {
  constexpr std::uint64_t rounds = 2;
  for (std::uint32_t count = 2; count <= most_shares; ++count) {
    const auto shares = staggered_shares(count);
    const std::uint64_t all = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    Machine machine = machine_with(0);
    machine.startup_s = static_cast<double>(all);
    std::uint64_t work = enough_work;
    const auto seconds =
        ring_rounds(rounds, 0).completion(part_bytes_of_shares(all, 1, shares), machine, work);
    EXPECT_NEAR(*seconds,
                rounds * machine.startup_s + static_cast<double>(all + (rounds - 1) * shares.back()), 1e-6)
        << count;
  }
}

TEST(RoutedCompletion, gives_up_what_takes_too_long) {
  const Network network = network::parse("torus:4x4");
  const auto written = algorithm::exchange_by_levels(
      network,
      algorithm::torus_levels(*network::split_torus(network, {}), {2, 1, LevelShape::Program::fold, 2}),
      schedule::PortModel::all());
  const RoutedMessages routed(network, {}, written.overlay, written.schedule,
                              {.collective = schedule::Collective::allreduce, .parts = written.parts}, 2);
  std::uint64_t little = 10, much = enough_work;
  constexpr std::array<std::uint64_t, 1> bytes{100};
  EXPECT_FALSE(routed.completion(bytes, machine_with(1), little));
  EXPECT_EQ(little, 0u);
  EXPECT_TRUE(routed.completion(bytes, machine_with(1), much));
  EXPECT_LT(much, enough_work);
}

}  // namespace
}  // namespace isotrope::cost
