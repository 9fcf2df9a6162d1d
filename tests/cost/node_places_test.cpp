// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/node_places.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/cost/plans.hpp"
#include "tests/verify/sample_plans.hpp"

namespace isotrope::cost {
namespace {

using network::NamedNetwork;
using schedule::RoundKind;
using testing::HasSubstr;

constexpr std::uint32_t ranks = 4;
constexpr LinkTime memory{5e-7, 7e-11};

LinkTimes times_of(const NamedNetwork& places, const Machine& machine) {
  check(machine, places.network.degree());
  return {places.network, places.lacks, machine};
}

// Links keep their times, which their lanes share, and evenly each lane has its part of them. Links inside a node have the memory's times.
void expect_lanes(const std::string& name, const Machine& links) {
  const NamedNetwork nodes = network::parse_named(name);
  const NamedNetwork places = network::network_of_places(nodes, ranks);
  const Machine machine = machine_of_places(links, memory, ranks, places);
  const LinkTimes before(nodes.network, nodes.lacks, links),
      after = times_of(places, machine), even = times_of(places, with_even_shares(machine)),
      back(nodes.network, nodes.lacks, machine_of_nodes(machine, nodes));
  for (Port port = 0; port < nodes.network.degree(); ++port) {
    const LinkTime link = before.all()[before.of(port)], shared = after.all()[after.of(port)],
                   lane = even.all()[even.of(port)];
    EXPECT_EQ(shared, (LinkTime{link.startup_s, shared.byte_time_s, ranks})) << name << " port " << port;
    EXPECT_DOUBLE_EQ(shared.byte_time_s, link.byte_time_s) << name << " port " << port;
    EXPECT_EQ(lane.startup_s, link.startup_s) << name << " port " << port;
    EXPECT_DOUBLE_EQ(lane.byte_time_s, link.byte_time_s * ranks) << name << " port " << port;
    EXPECT_DOUBLE_EQ(back.all()[back.of(port)].byte_time_s, link.byte_time_s) << name << " port " << port;
    EXPECT_EQ(back.all()[back.of(port)].startup_s, link.startup_s) << name << " port " << port;
  }
  for (Port port = nodes.network.degree(); port < nodes.network.degree() + ranks - 1; ++port) {
    EXPECT_EQ(after.all()[after.of(port)], memory) << name << " port " << port;
    EXPECT_EQ(even.all()[even.of(port)], memory) << name << " port " << port;
  }
}

Machine with_classes(const LinkClass& first, const LinkClass& second) {
  Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-9};
  machine.listed_classes[0] = first;
  machine.listed_classes[1] = second;
  machine.link_class_count = 2;
  return machine;
}

TEST(MachineOfPlaces, of_one_rank_a_node_is_that_of_the_links) {
  const Machine links{.startup_s = 2e-6, .byte_time_s = 1e-9};
  EXPECT_EQ(machine_of_places(links, memory, 1, network::parse_named("torus:4x4")), links);
}

TEST(MachineOfPlaces, shares_links_among_lanes) {
  const Machine alike{.startup_s = 2e-6, .byte_time_s = 1e-9};
  for (const std::string name :
       {"torus:4x5", "line:3xring:5", "hypercube:3", "hexmesh:3", "torus:4x4x4@2,2,1", "ring:5@3",
        "line:4xring:8@2", "twisted-torus:2x4", "complete:4"})
    expect_lanes(name, alike);
}

TEST(MachineOfPlaces, keeps_link_classes) {
  for (const std::string name : {"torus:4x5", "torus:4x4@2,1", "torus:4x4@3", "line:4xring:8@2"}) {
    expect_lanes(name, with_classes({1, 4e-6, {}}, {2, {}, 5e-10}));
    expect_lanes(name, with_classes({1, 4e-6, {}}, {2, 3e-6, {}}));
    expect_lanes(name, with_classes({1, 4e-6, 2e-9}, {2, 4e-6, 2e-9}));
  }
}

// Every lane of a listed link has its latency; the memory has none.
TEST(MachineOfPlaces, keeps_the_times_of_listed_links) {
  NamedNetwork nodes = network::from_edges(5, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}});
  for (const bool all : {false, true}) {
    nodes.lacks.edge_times.clear();
    for (const network::Edge& edge : nodes.lacks.edges) {
      if (all || edge.low != 2) nodes.lacks.edge_times.push_back({edge, 1e-6 + 1e-6 * edge.high});
    }
    const NamedNetwork places = network::network_of_places(nodes, ranks);
    const Machine links{.startup_s = 2e-7, .byte_time_s = 1e-9},
        machine = machine_of_places(links, memory, ranks, places);
    const LinkTimes before(nodes.network, nodes.lacks, links),
        after = times_of(places, machine), even = times_of(places, with_even_shares(machine)),
        back(nodes.network, nodes.lacks, machine_of_nodes(machine, nodes));
    EXPECT_EQ(after.least().startup_s, all ? memory.startup_s : links.startup_s);
    const network::SurvivingNetwork left(places.network, places.lacks);
    for (const Node place : left.nodes()) {
      left.for_each_neighbour(place, [&](Port port, Node) {
        const LinkTime found = after.all()[after.of(place, port)], lane = even.all()[even.of(place, port)];
        if (port >= nodes.network.degree()) {
          EXPECT_EQ(found, memory);
          EXPECT_EQ(lane, memory);
          return;
        }
        const LinkTime link = before.all()[before.of(place / ranks, port)];
        EXPECT_EQ(found, (LinkTime{link.startup_s, link.byte_time_s, ranks}));
        EXPECT_EQ(lane, (LinkTime{link.startup_s, link.byte_time_s * ranks, 1}));
        EXPECT_EQ(back.all()[back.of(place / ranks, port)], link);
      });
    }
    EXPECT_THAT(
        [&] {
          machine_of_places(with_classes({1, 4e-6, {}}, {}), memory, ranks, places);
        },
        testing::ThrowsMessage<Error>(HasSubstr("whose links are listed")));
  }
}

TEST(MachineOfPlaces, keeps_what_is_no_time_of_a_link) {
  const Machine links{.startup_s = 1e-6,
                      .byte_time_s = 1e-9,
                      .ports = schedule::PortModel::all(),
                      .overhead_s = 3e-7,
                      .overhead_byte_s = 1e-11,
                      .largest_message = 4096};
  const NamedNetwork places = network::parse_named("ring:5xcomplete:4");
  const Machine found = machine_of_places(links, memory, ranks, places);
  EXPECT_EQ(found.ports, links.ports);
  EXPECT_EQ(found.overhead_s, links.overhead_s);
  EXPECT_EQ(found.overhead_byte_s, links.overhead_byte_s);
  EXPECT_EQ(found.largest_message, links.largest_message);
}

TEST(MachineOfPlaces, needs_the_network_of_the_places) {
  const Machine links{.startup_s = 2e-6, .byte_time_s = 1e-9};
  const auto refusal = [&](const std::string& name, const Machine& machine) {
    try {
      machine_of_places(machine, memory, ranks, network::parse_named(name));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("ring:4", links), HasSubstr("4 ranks a node on ring:4: its last axis"));
  EXPECT_THAT(refusal("torus:4x5", links), HasSubstr("its last axis must have one place"));
  EXPECT_THAT(refusal("ring:5xcomplete:4", with_classes({1, 4e-6, {}}, {2, 1e-6, {}})),
              HasSubstr("a link class of axis 1 or more: the network of the nodes has the axes 0 to 0"));
}

TEST(MachineOfPlaces, has_a_class_for_the_memory) {
  Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-9};
  for (std::uint32_t axis = 0; axis < most_link_classes; ++axis)
    machine.listed_classes[axis] = {std::uint64_t{1} << axis, 1e-6 * axis + 5e-6, {}};
  machine.link_class_count = most_link_classes;
  EXPECT_THAT(
      [&] {
        machine_of_places(machine, memory, ranks, network::parse_named("torus:3x3x3x3x3x3x3x3xcomplete:4"));
      },
      testing::ThrowsMessage<Error>(HasSubstr("one of at most 8 link classes")));
}

Machine on_places(const Network& network, schedule::PortModel ports) {
  const Machine links{.startup_s = 3, .byte_time_s = 2, .ports = ports};
  return machine_of_places(links, {1, 0.5}, network.group().moduli().back(), {network, {}});
}

// Packets of 10 bytes from place 0 of ring:3xcomplete:2: over port 0 to place 2, over port 1 to 4, and over port 2, in memory, to 1.
TEST(MachineOfPlaces, counts_all_lanes_of_a_link_together) {
  const Network network = network::parse("ring:3xcomplete:2");
  const Machine machine = on_places(network, schedule::PortModel::all());
  const auto expect_times = [&](const std::vector<std::vector<schedule::Hop>>& rounds, double in_rounds,
                                double completion) {
    const schedule::Plan plan = checked_plan(
        network, "scatter", 0, 1,
        schedule_of(schedule::PortModel::all(), schedule::Flow::move, rounds, RoundKind::aggregated));
    EXPECT_EQ(round_time(plan, machine, {10, 10}), in_rounds);
    EXPECT_EQ(complete(plan, machine, {10, 10}).completion_s, completion);
  };
  // One lane has the link to itself: two blocks over it, then one in memory.
  constexpr double one_lane = 3 + 20 * 2 + 1 + 10 * 0.5;
  expect_times({{{2, 0, 0}, {3, 0, 0}, {4, 0, 1}, {5, 0, 1}, {1, 0, 2}}, {{3, 2, 2}, {5, 4, 2}}}, one_lane,
               one_lane);
  // Two lanes with a block each, three blocks in memory before. The block of place 1 is there after 16 s, when that of place 0 has
  // been on the link for 13 of its 20 s: its bytes follow at once.
  expect_times({{{1, 0, 2}, {3, 0, 2}, {5, 0, 2}}, {{2, 0, 0}, {4, 0, 1}, {3, 1, 0}, {5, 1, 1}}},
               1 + 30 * 0.5 + 3 + 20 * 2, 3 + 20 * 2);
}

// The ranks of a node that uses one port at once share it, also if they send to different nodes. The blocks for node 2 go to place 1 in
// memory, 1 + 20 / 2 s; then places 0 and 1 send 20 bytes each to nodes 1 and 2: 3 + 40 * 2 s; then there is memory again.
TEST(MachineOfPlaces, counts_all_places_of_a_port_together) {
  const Network network = network::parse("complete:3xcomplete:2");
  const auto rounds = schedule_of(schedule::PortModel::one(), schedule::Flow::move,
                                  {{{4, 0, 2}, {5, 0, 2}},
                                   {{2, 0, 0}, {3, 0, 0}, {4, 1, 1}, {5, 1, 1}},
                                   {{3, 2, 2}, {4, 5, 2}, {1, 0, 2}}},
                                  RoundKind::aggregated);
  const schedule::Plan plan = checked_plan(network, "scatter", 0, 1, rounds);
  const Machine machine = on_places(network, schedule::PortModel::one());
  const Workload load{10, 10};
  EXPECT_EQ(round_time(plan, machine, load), (1 + 20 * 0.5) + (3 + 40 * 2) + (1 + 10 * 0.5));
  EXPECT_EQ(complete(plan, machine, load).completion_s, round_time(plan, machine, load));
}

class SamplePlaces : public testing::TestWithParam<std::string_view> {};

// A replicated stage has the time of the stage written out. No link is faster than if one lane had it, none slower than if all lanes
// had their shares.
TEST_P(SamplePlaces, take_as_long_as_written_out) {
  for (const schedule::Plan& plan : verify::sample_plans(GetParam())) {
    const Machine machine = on_places(plan.network, plan.schedule.ports);
    Machine unshared = machine;
    unshared.lanes = 1;
    const Workload load = Workload::in_parts(96, plan.task.parts);
    const double rounds = round_time(plan, machine, load);
    EXPECT_DOUBLE_EQ(rounds, round_time(verify::expand(plan), machine, load));
    EXPECT_GE(rounds, round_time(plan, unshared, load));
    EXPECT_GE(complete(plan, machine, load).completion_s, complete(plan, unshared, load).completion_s);
    if (plan.schedule.ports != schedule::PortModel::all()) continue;
    EXPECT_LE(rounds, round_time(plan, with_even_shares(machine), load));
    EXPECT_LE(complete(plan, machine, load).completion_s, rounds * (1 + 1e-12));
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, SamplePlaces,
                         testing::Values("ring:3xcomplete:2", "ring:4xcomplete:2", "torus:2x2xcomplete:4",
                                         "hypercube:2xcomplete:3", "complete:3xcomplete:4"),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

}  // namespace
}  // namespace isotrope::cost
