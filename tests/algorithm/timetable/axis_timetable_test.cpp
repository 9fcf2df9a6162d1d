// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/axis_timetable.hpp"

#include <gtest/gtest.h>

#include "tests/algorithm/timetable_check.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::PortModel;

std::vector<network::TorusAxis> axes_of(const Network& network) {
  return network::torus_axes(network).value();
}

Timetable tables_of(const Network& network, std::uint32_t parts, PortModel ports) {
  return axis_timetable(network, axes_of(network), parts, ports);
}

verify::Report check_axes(const Network& network, std::uint32_t parts, PortModel ports) {
  return check_timetable(network, parts, ports, tables_of(network, parts, ports));
}

std::uint64_t exchange_load(const Network& network, std::uint32_t parts, PortModel ports) {
  const Timetable timetable = tables_of(network, parts, ports);
  return total_load(
      check_on(network, "alltoall", timetable_exchange(network, parts, ports, timetable), 0, parts));
}

// The drawing of axis_timetable.hpp; number 4 x + y, ports 1+, 1-, 2+, 2-.
TEST(AxisTimetable, of_a_torus_by_hand) {
  const Timetable timetable = tables_of(network::parse("torus:5x4"), 4, PortModel::all());
  ASSERT_EQ(timetable.tables(), 4U);
  ASSERT_EQ(timetable.rounds(), 4U);
  const auto at = [&timetable](std::uint32_t table, Node x, Node y) {
    return timetable.at(table, 4 * x + y);
  };
  EXPECT_EQ(at(0, 2, 3), (Departure{0, 0}));
  EXPECT_EQ(at(0, 3, 0), (Departure{0, 1}));
  EXPECT_EQ(at(0, 1, 1), (Departure{1, 0}));
  EXPECT_EQ(at(0, 4, 2), (Departure{1, 1}));
  EXPECT_EQ(at(0, 0, 2), (Departure{2, 2}));
  EXPECT_EQ(at(0, 0, 1), (Departure{3, 2}));
  EXPECT_EQ(at(0, 0, 3), (Departure{3, 3}));
  EXPECT_EQ(at(2, 0, 2), (Departure{2, 3}));  // the other way half-way round
  EXPECT_EQ(at(1, 2, 1), (Departure{1, 2}));  // axis 1 first
  EXPECT_EQ(at(1, 1, 0), (Departure{3, 0}));
}

// Recursive halving and doubling: one port a round, half as many packets in each.
TEST(AxisTimetable, of_a_hypercube_over_one_port) {
  const Network cube = network::parse("hypercube:3");
  const Timetable timetable = tables_of(cube, 1, PortModel::one());
  for (const Node address : {4U, 5U, 6U, 7U}) EXPECT_EQ(timetable.at(0, address), (Departure{0, 2}));
  for (const Node address : {2U, 3U}) EXPECT_EQ(timetable.at(0, address), (Departure{1, 1}));
  EXPECT_EQ(timetable.at(0, 1), (Departure{2, 0}));
  EXPECT_EQ(check_axes(cube, 1, PortModel::one()).link_load, (std::vector<std::uint64_t>{1, 2, 4}));
}

TEST(AxisTimetable, goes_forwards_only_over_one_port) {
  const Network ring = network::parse("ring:5");
  const Timetable timetable = tables_of(ring, 2, PortModel::one());
  EXPECT_EQ(timetable.rounds(), 4U);
  for (Node address = 1; address < 5; ++address)
    EXPECT_EQ(timetable.at(0, address), (Departure{4 - address, 0}));
}

TEST(AxisTimetable, serves_every_torus_parts_and_ports) {
  unsigned trial = 0;
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    if (!network::torus_axes(network) || network.order() == 1) continue;
    for (const std::uint32_t parts : numbers_of_parts(network)) {
      for (const PortModel ports : full_duplex_models(network)) {
        if (is_left_out(trial++, 4)) continue;
        const Timetable timetable = tables_of(network, parts, ports);
        const bool forwards_only = ports == PortModel::one() && !name.starts_with("hypercube");
        expect_chains(network, timetable, !forwards_only);
        EXPECT_EQ(timetable.rounds(), axis_timetable_rounds(axes_of(network), ports));
        if (!forwards_only) {
          EXPECT_EQ(timetable.rounds(), network.diameter()) << name;
        }
        const verify::Report report = check_timetable(network, parts, ports, timetable);
        if (ports == PortModel::one()) {
          EXPECT_EQ(total_load(report), std::uint64_t{network.order() - 1} * parts) << name;
        }
      }
    }
  }
}

TEST(AxisTimetable, meets_the_bounds_on_hypercubes) {
  for (int d = 1; d <= 7; ++d) {
    const Network cube = network::parse(fmt::format("hypercube:{}", d));
    for (const PortModel ports : full_duplex_models(cube)) {
      for (const std::uint32_t times : {1U, 3U}) {
        const std::uint32_t parts = times * ports.sends(cube.degree());
        EXPECT_EQ(total_load(check_axes(cube, parts, ports)), least_load(cube, "allgather", parts, ports));
        EXPECT_EQ(exchange_load(cube, parts, ports), least_load(cube, "alltoall", parts, ports));
      }
    }
  }
}

TEST(AxisTimetable, meets_the_bounds_on_tori_of_equal_extents) {
  for (const char* name : {"ring:4", "ring:7", "torus:3x3", "torus:4x4", "torus:5x5", "torus:3x3x3",
                           "torus:4x4x4", "torus:6x6"}) {
    const Network torus = network::parse(name);
    for (network::Port c = 2; c <= torus.degree(); c += 2) {
      const PortModel ports = PortModel::ports(c);
      EXPECT_EQ(total_load(check_axes(torus, c, ports)), least_load(torus, "allgather", c, ports)) << name;
      EXPECT_EQ(exchange_load(torus, c, ports), least_load(torus, "alltoall", c, ports)) << name;
    }
  }
  const Network odd = network::parse("torus:5x5");
  EXPECT_EQ(total_load(check_axes(odd, 1, PortModel::ports(2))), 12U);
}

}  // namespace
}  // namespace isotrope::algorithm
