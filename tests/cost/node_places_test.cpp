// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/node_places.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/node_places.hpp"

namespace isotrope::cost {
namespace {

using network::NamedNetwork;
using testing::HasSubstr;

constexpr std::uint32_t ranks = 4;
constexpr LinkTime memory{5e-7, 7e-11};

LinkTimes times_of_places(const std::string& name, const Machine& links) {
  const NamedNetwork places = network::network_of_places(network::parse_named(name), ranks);
  const Machine machine = machine_of_places(links, memory, ranks, places);
  check(machine, places.network.degree());
  return {places.network, places.lacks, machine};
}

// Every link has a lane for each rank: the start-up of the link, and its time per byte as often as it has lanes. Links inside a node
// have the memory's times.
void expect_lanes(const std::string& name, const Machine& links) {
  const NamedNetwork nodes = network::parse_named(name);
  const LinkTimes before(nodes.network, nodes.lacks, links), after = times_of_places(name, links);
  for (Port port = 0; port < nodes.network.degree(); ++port) {
    const LinkTime link = before.all()[before.of(port)], lane = after.all()[after.of(port)];
    EXPECT_EQ(lane.startup_s, link.startup_s) << name << " port " << port;
    EXPECT_DOUBLE_EQ(lane.byte_time_s, link.byte_time_s * ranks) << name << " port " << port;
  }
  for (Port port = nodes.network.degree(); port < nodes.network.degree() + ranks - 1; ++port)
    EXPECT_EQ(after.all()[after.of(port)], memory) << name << " port " << port;
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

}  // namespace
}  // namespace isotrope::cost
