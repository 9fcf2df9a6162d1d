// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/route_negotiation.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/schedule/delivery.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/irregular/task_routing.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Packet;

std::vector<Route> first_shortest_routes(const SurvivingNetwork& network,
                                         const std::vector<Packet>& packets) {
  std::vector<Route> routes;
  for (const Packet& packet : packets)
    routes.push_back(network::shortest_route(network, packet.origin, packet.to).value());
  return routes;
}

// Also that every route leads over links that carry to its destination.
std::uint32_t busiest(const SurvivingNetwork& network, const std::vector<Packet>& packets,
                      const std::vector<Route>& routes) {
  std::vector<std::uint32_t> loads(network.whole().directed_links(), 0);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    Node at = packets[i].origin;
    for (const Port port : routes[i]) {
      EXPECT_TRUE(network.carries(at, port));
      ++loads[std::uint64_t{at} * network.whole().degree() + port];
      at = network.whole().neighbour(at, port);
    }
    EXPECT_EQ(at, packets[i].to);
  }
  return *std::max_element(loads.begin(), loads.end());
}

// Of two packets from 0 to its neighbour 3 one goes round by 1 and 4, and no link carries both.
TEST(RouteNegotiation, sends_packets_a_longer_way_round) {
  const SurvivingNetwork ring(network::parse("torus:2x3"), {{5}, {}});
  const std::vector<Packet> packets{{0, 3, 0, 0}, {0, 3, 1, 0}};
  const SurvivingDistances distances(ring, packets);
  const std::vector<Route> routes = negotiate(distances, packets, first_shortest_routes(ring, packets));
  EXPECT_EQ(busiest(ring, packets, routes), 1u);
  EXPECT_EQ(routes[0].size() + routes[1].size(), 4u);
}

TEST(RouteNegotiation, lightens_the_busiest_link_around_failures) {
  for (const char* name : {"hexmesh:4", "torus:5x5", "hypercube:4", "torus:3x3x3", "circulant:13:1,5"}) {
    const Network whole = network::parse(name);
    const SurvivingNetwork network(whole, {{5}, {{0, 0}}});
    const auto deliveries =
        schedule::deliveries_of({whole, network.failures(), {.collective = schedule::Collective::alltoall}});
    const std::vector<Packet> packets = schedule::packets_of(whole, deliveries, 1);
    const SurvivingDistances distances(network, packets);
    const std::vector<Route> before = first_shortest_routes(network, packets);
    const std::vector<Route> after = negotiate(distances, packets, before);
    EXPECT_LT(busiest(network, packets, after), busiest(network, packets, before)) << name;
    EXPECT_EQ(after, negotiate(distances, packets, before)) << name;
  }
}

// Around a failed node of a mesh the bound is reached within a tenth; along shortest paths alone it takes 1.4
// times as long.
TEST(RouteNegotiation, brings_exchanges_near_the_bound) {
  for (const char* name : {"hexmesh:4", "hexmesh:5", "hexmesh:6", "torus:6x6", "hypercube:5"}) {
    const SurvivingNetwork network(network::parse(name), {{5}, {}});
    const schedule::Problem problem{
        network.whole(), network.failures(), {.collective = schedule::Collective::alltoall}};
    const auto bounds = bound::lower_bounds(problem);
    const auto schedule = task_routing(network, deliveries_of(problem), 1, problem.ports,
                                       {.target = bounds.front().value, .runs = 1});
    EXPECT_LE(10 * schedule.round_count(), 11 * bounds.front().value + 10) << name;
  }
}

TEST(RouteNegotiation, leaves_nothing_as_it_is) {
  const SurvivingNetwork network(network::parse("ring:5"), {{3}, {}});
  EXPECT_TRUE(negotiate(SurvivingDistances(network, {}), {}, {}).empty());
}

}  // namespace
}  // namespace isotrope::algorithm
