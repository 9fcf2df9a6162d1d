// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_balance.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::RelativeDestination;
using testing::Each;
using testing::Le;

TaskMatrix balanced(const Network& network, const std::vector<RelativeDestination>& destinations,
                    std::uint32_t c, std::uint64_t least, const std::vector<std::uint32_t>& weights) {
  return balance_routes(network, destinations, shortest_routes(network, destinations), c, least, weights);
}

std::vector<RelativeDestination> everyone(const Network& network) {
  return relative_destinations(network, schedule::parse_task("alltoall", network));
}

// Shortest routes use +2 and -2 for 9 hops each and +1 and -1 for 3.
TEST(RouteBalance, takes_detours_where_they_help) {
  const Network network = network::parse("circulant:13:1,2");
  EXPECT_EQ(least_rounds(shortest_routes(network, everyone(network)), 4), 9);
  const TaskMatrix matrix = balanced(network, everyone(network), 4, 7, {1, 1, 2, 2});
  EXPECT_THAT(matrix.column_sums(), Each(Le(7u)));
  EXPECT_EQ(matrix.total_sum(), 28);
}

// A detour is a hop more for the one port that is open.
TEST(RouteBalance, takes_none_where_all_hops_count) {
  const Network network = network::parse("circulant:13:1,2");
  EXPECT_EQ(balanced(network, everyone(network), 1, 24, {1, 1, 1, 1}).total_sum(), 24);
}

TEST(RouteBalance, leaves_alone_what_is_good_enough) {
  const Network network = network::parse("circulant:13:1,2");
  EXPECT_EQ(balanced(network, everyone(network), 4, 9, {1, 1, 2, 2}).total_sum(), 24);
}

// 100 packets for the next node of ring:8: 12 of them go round the other way, 7 * 12 = 84 hops.
TEST(RouteBalance, sends_what_crowds_one_way_the_other_way_round) {
  const Network ring = network::parse("ring:8");
  const TaskMatrix matrix = balanced(ring, {{1, 100}}, 2, 50, {1, 1});
  EXPECT_THAT(matrix.column_sums(), testing::ElementsAre(88, 84));
}

// No row becomes longer than the rounds: the long way round takes 7.
TEST(RouteBalance, does_not_send_a_packet_on_a_longer_way_than_there_are_rounds) {
  const Network ring = network::parse("ring:8");
  EXPECT_EQ(least_rounds(balanced(ring, {{1, 6}}, 2, 3, {1, 1}), 2), 6);
}

// A list whose rounds are those of its longest row ends there, with equal weights or others.
TEST(RouteBalance, ends_where_a_row_is_what_takes_the_rounds) {
  const Network ring = network::parse("ring:8");
  EXPECT_EQ(least_rounds(balanced(ring, {{4, 1}, {1, 1}}, 2, 3, {1, 1}), 2), 4);
  const Network twisted = network::parse("twisted-torus:8,0/3,8");
  const std::vector<RelativeDestination> destinations{{1, 1}, {20, 1}};
  EXPECT_LE(least_rounds(balanced(twisted, destinations, 4, 1, {0, 0, 1, 1}), 4),
            least_rounds(shortest_routes(twisted, destinations), 4));
}

TEST(RouteBalance, keeps_every_destination) {
  for (const char* name :
       {"circulant:31:1,3,5", "circulant:20:1,8", "twisted-torus:4x8", "cayley:4x2:1,0/3,0/2,1/0,1"}) {
    const Network network = network::parse(name);
    std::vector<RelativeDestination> destinations;
    for (Node node = 0; node < network.order(); node += 1 + node % 2)
      destinations.push_back({node, node % 4});
    const TaskMatrix before = shortest_routes(network, destinations);
    const std::vector<std::uint32_t> equal(network.degree(), 1);
    const TaskMatrix matrix = balance_routes(network, destinations, before, network.degree(), 1, equal);
    EXPECT_LE(least_rounds(matrix, network.degree()), least_rounds(before, network.degree())) << name;
    std::uint64_t row = 0;
    for (const auto [to, blocks] : destinations) {
      for (std::uint32_t i = 0; i < blocks; ++i, ++row) {
        Node node = 0;
        for (const auto [port, count] : matrix.row(row)) {
          for (std::uint32_t hop = 0; hop < count; ++hop) node = network.neighbour(node, port);
        }
        EXPECT_EQ(node, to) << name;
      }
    }
    EXPECT_EQ(row, matrix.rows()) << name;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
