// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_choice.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::RelativeDestination;
using testing::ElementsAre;

TaskMatrix exchange_routes(const Network& network) {
  return shortest_routes(network,
                         schedule::relative_destinations(network, schedule::parse_task("alltoall", network)));
}

// Where a row leads from node 0.
Node end_of(const Network& network, const TaskMatrix& matrix, std::uint64_t row) {
  Node node = 0;
  for (const auto [port, count] : matrix.row(row)) {
    for (std::uint32_t i = 0; i < count; ++i) node = network.neighbour(node, port);
  }
  return node;
}

std::uint64_t length_of(const TaskMatrix& matrix, std::uint64_t row) {
  std::uint64_t length = 0;
  for (const auto [port, count] : matrix.row(row)) length += count;
  return length;
}

// Nodes 1, 2, 3 of ring:4 and 4, 5, 6, 7, 8, ... one row further of torus:3x4; half-way round the ring lie 2,
// 6 and 10, of which two go forwards.
TEST(RouteChoice, sends_packets_half_way_round_both_ways) {
  EXPECT_THAT(exchange_routes(network::parse("ring:4")).column_sums(), ElementsAre(3, 1));
  EXPECT_THAT(exchange_routes(network::parse("torus:3x4")).column_sums(), ElementsAre(4, 4, 7, 5));
  EXPECT_THAT(exchange_routes(network::parse("torus:4x4")).column_sums(), ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(exchange_routes(network::parse("hypercube:4")).column_sums(), ElementsAre(8, 8, 8, 8));
}

// Two packets one hop forwards on ring:6, so the one for the opposite node goes backwards.
TEST(RouteChoice, evens_out_what_other_packets_carry) {
  const Network ring = network::parse("ring:6");
  const std::vector<RelativeDestination> destinations{{3, 1}, {1, 2}};
  EXPECT_THAT(shortest_routes(ring, destinations).column_sums(), ElementsAre(2, 3));
}

TEST(RouteChoice, leads_every_packet_to_its_destination_by_a_shortest_route) {
  for (const char* name :
       {"ring:1", "ring:2", "ring:7", "torus:2x3x4", "torus:3x1x5", "torus:2x2x2", "hypercube:5", "hexmesh:4",
        "complete:9", "twisted-torus:2x2x4", "twisted-torus:8,0/3,8", "circulant:24:1,5,12",
        "cayley:4x2:1,0/3,0/2,1/0,1", "cayley:3x4:0,3/1,0/2,0/0,1"}) {
    const Network network = network::parse(name);
    std::vector<RelativeDestination> destinations;
    for (Node node = 0; node < network.order(); ++node) destinations.push_back({node, 1 + node % 3});
    const TaskMatrix matrix = shortest_routes(network, destinations);
    std::uint64_t row = 0;
    for (const auto [to, blocks] : destinations) {
      for (std::uint32_t i = 0; i < blocks; ++i, ++row) {
        EXPECT_EQ(end_of(network, matrix, row), to) << name;
        EXPECT_EQ(length_of(matrix, row), network.distance(0, to)) << name;
      }
    }
    EXPECT_EQ(row, matrix.rows()) << name;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
