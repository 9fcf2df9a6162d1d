// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/layered_timetable.hpp"

#include <bit>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "isotrope/algorithm/timetable/port_groups.hpp"

#include "tests/algorithm/timetable_check.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

verify::Report check_layers(const Network& network, std::uint32_t parts, PortModel ports) {
  return check_timetable(network, parts, ports, layered_timetable(network, parts, ports));
}

// The sum over the layers of the least largest numbers of packets on a port: those that may take no port but
// some of a set share these at best, and the worst set counts. Cost: O(2^degree N).
std::uint64_t least_layered_load(const Network& network, std::uint64_t parts) {
  std::vector<std::map<std::uint32_t, std::uint64_t>> layers(network.diameter() + 1);
  for (Node node = 1; node < network.order(); ++node) {
    std::uint32_t set = 0;
    for (Port port = 0; port < network.degree(); ++port) {
      const Node nearer = network.group().subtract(node, network.generators()[port]);
      if (network.distance(0, nearer) < network.distance(0, node)) set |= std::uint32_t{1} << port;
    }
    layers[network.distance(0, node)][set] += parts;
  }
  std::uint64_t sum = 0;
  for (const auto& layer : layers) {
    std::uint64_t most = 0;
    for (std::uint32_t set = 1; set < std::uint32_t{1} << network.degree(); ++set) {
      std::uint64_t packets = 0;
      for (const auto& [ports, count] : layer) packets += (ports & ~set) == 0 ? count : 0;
      const auto size = static_cast<std::uint64_t>(std::popcount(set));
      most = std::max(most, (packets + size - 1) / size);
    }
    sum += most;
  }
  return sum;
}

// torus:3x3, nodes 4, 5, 7, 8 two hops away, with two ports to choose from each: 0 or 2, 0 or 3, 1 or 2, 1 or
// 3. All four ports are in use in both rounds.
TEST(LayeredTimetable, of_a_torus_by_hand) {
  const Timetable timetable = layered_timetable(network::parse("torus:3x3"), 1, PortModel::all());
  EXPECT_EQ(timetable.rounds(), 2U);
  std::set<Port> ports;
  for (const Node address : {4U, 5U, 7U, 8U}) {
    EXPECT_EQ(timetable.at(0, address).round, 0U);
    ports.insert(timetable.at(0, address).port);
  }
  EXPECT_EQ(ports.size(), 4U);
  EXPECT_EQ(timetable.at(0, 3), (Departure{1, 0}));
  EXPECT_EQ(timetable.at(0, 6), (Departure{1, 1}));
  EXPECT_EQ(timetable.at(0, 1), (Departure{1, 2}));
  EXPECT_EQ(timetable.at(0, 2), (Departure{1, 3}));
}

TEST(LayeredTimetable, splits_rounds_over_few_ports) {
  const Timetable timetable = layered_timetable(network::parse("torus:3x3"), 1, PortModel::ports(3));
  EXPECT_EQ(timetable.rounds(), 4U);
  EXPECT_EQ(timetable.at(0, 3), (Departure{2, 0}));
  EXPECT_EQ(timetable.at(0, 1), (Departure{2, 2}));
  EXPECT_EQ(timetable.at(0, 2), (Departure{3, 3}));
}

TEST(LayeredTimetable, serves_every_network_parts_and_ports) {
  unsigned trial = 0;
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : numbers_of_parts(network)) {
      if (parts == 0) continue;
      for (const PortModel ports : full_duplex_models(network)) {
        if (is_left_out(trial++, 5)) continue;
        const Timetable timetable = layered_timetable(network, parts, ports);
        expect_chains(network, timetable, true);
        EXPECT_EQ(timetable.rounds(), network.diameter() * PortGroups(network.degree(), ports).count());
        const verify::Report report = check_timetable(network, parts, ports, timetable);
        if (ports == PortModel::one()) {
          EXPECT_EQ(total_load(report), std::uint64_t{network.order() - 1} * parts) << name;
        }
      }
    }
  }
}

TEST(LayeredTimetable, has_the_least_loads_layer_by_layer) {
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    for (const std::uint32_t parts : numbers_of_parts(network)) {
      if (parts == 0) continue;
      EXPECT_EQ(total_load(check_layers(network, parts, PortModel::all())),
                least_layered_load(network, parts))
          << name << " " << parts;
    }
  }
}

// All but those networks whose ports are too unlike for shortest paths to share them evenly.
TEST(LayeredTimetable, meets_the_degree_bound_with_as_many_parts_as_ports) {
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    if (network.order() == 1 || name == "circulant:15:3,5,7") continue;
    for (const std::uint32_t parts : {network.degree(), 2 * network.degree()}) {
      const PortModel ports = PortModel::all();
      EXPECT_EQ(total_load(check_layers(network, parts, ports)),
                least_load(network, "allgather", parts, ports))
          << name << " " << parts;
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
