// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/striped_timetable.hpp"

#include <gtest/gtest.h>

#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/timetable/layered_timetable.hpp"

#include "tests/algorithm/timetable_check.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

const std::vector<const char*> products{
    "ring:4xcomplete:3",        "torus:3x3xcomplete:2", "hypercube:2xcomplete:4", "complete:5xcomplete:3",
    "torus:2x3@1,2xcomplete:2", "hexmesh:2xcomplete:2", "ring:5xring:2"};

TEST(StripedTimetable, is_right_on_every_product_with_a_complete_last_axis) {
  unsigned trial = 0;
  for (const char* name : products) {
    const Network network = network::parse(name);
    ASSERT_EQ(lacks_lanes(network, {}), std::nullopt) << name;
    for (const PortModel ports : full_duplex_models(network)) {
      for (const std::uint32_t parts : numbers_of_parts(network)) {
        if (is_left_out(trial++, 4)) continue;
        const Timetable timetable = striped_timetable(network, parts, ports);
        EXPECT_EQ(timetable.rounds(), striped_timetable_rounds(network, ports)) << name;
        expect_chains(network, timetable, true);
        check_timetable(network, parts, ports, timetable);
      }
    }
  }
}

// The most addresses that leave over one port between nodes in a round, summed over the rounds.
std::uint64_t load_between_nodes(const Network& network, const Timetable& timetable,
                                 const std::vector<Port>& ports) {
  std::vector<std::vector<std::uint64_t>> loads(timetable.rounds(),
                                                std::vector<std::uint64_t>(network.degree()));
  for (std::uint32_t table = 0; table < timetable.tables(); ++table) {
    for (Node address = 1; address < network.order(); ++address) {
      const auto [round, port] = timetable.at(table, address);
      ++loads[round][port];
    }
  }
  std::uint64_t sum = 0;
  for (const auto& round : loads) {
    std::uint64_t most = 0;
    for (const Port port : ports) most = std::max(most, round[port]);
    sum += most;
  }
  return sum;
}

TEST(StripedTimetable, links_between_nodes_carry_the_blocks_of_one_lane) {
  for (const char* name : products) {
    const Network network = network::parse(name);
    const Lane lane = lane_of(network);
    const std::uint32_t parts = network.degree();
    const Timetable of_lane = layered_timetable(lane.network, parts, PortModel::all());
    std::vector<Port> all(lane.network.degree());
    for (Port port = 0; port < all.size(); ++port) all[port] = port;
    EXPECT_EQ(load_between_nodes(network, striped_timetable(network, parts, PortModel::all()), lane.ports),
              load_between_nodes(lane.network, of_lane, all))
        << name;
  }
}

TEST(Lanes, are_those_of_products_whose_last_axis_is_complete) {
  for (const char* name : {"ring:5", "torus:4x4", "complete:6", "twisted-torus:4x8"})
    EXPECT_NE(lacks_lanes(network::parse(name), {}), std::nullopt) << name;
  const Network network = network::parse("torus:3x4xcomplete:3");
  const Lane lane = lane_of(network);
  EXPECT_EQ(lane.network.order(), 12U);
  EXPECT_EQ(lane.network.diameter(), 3U);
  for (Node node = 0; node < lane.network.order(); ++node) {
    for (Port port = 0; port < lane.network.degree(); ++port)
      EXPECT_EQ(3 * lane.network.neighbour(node, port) + 1,
                network.neighbour(3 * node + 1, lane.ports[port]));
  }
}

}  // namespace
}  // namespace isotrope::algorithm
