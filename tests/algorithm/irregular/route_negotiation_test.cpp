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

using network::LinkList;
using network::Network;
using network::Node;
using network::SurvivingNetwork;
using schedule::Packet;

PacketRoutes first_shortest_routes(const SurvivingNetwork& network, const std::vector<Packet>& packets) {
  const LinkList links(network);
  PacketRoutes routes;
  for (const Packet& packet : packets) {
    const auto ports = network::shortest_route(network, packet.origin, packet.to).value();
    routes.add(static_cast<std::uint32_t>(ports.size()));
    Node at = packet.origin;
    for (std::size_t hop = 0; hop < ports.size(); ++hop) {
      routes.of(static_cast<schedule::PacketId>(routes.size() - 1))[hop] = links.of(at, ports[hop]);
      at = network.whole().neighbour(at, ports[hop]);
    }
  }
  return routes;
}

// Also that every route leads over links that carry to its destination.
std::uint32_t busiest(const SurvivingNetwork& network, const std::vector<Packet>& packets,
                      const PacketRoutes& routes) {
  const LinkList links(network);
  std::vector<std::uint32_t> loads(links.count(), 0);
  for (schedule::PacketId id = 0; id < packets.size(); ++id) {
    Node at = packets[id].origin;
    for (const LinkNumber link : routes.of(id)) {
      EXPECT_EQ(links.of(at, links.port(at, link)), link);
      ++loads[link];
      at = links.to(link);
    }
    EXPECT_EQ(at, packets[id].to);
  }
  return *std::max_element(loads.begin(), loads.end());
}

bool same_routes(const PacketRoutes& a, const PacketRoutes& b) {
  if (a.size() != b.size()) return false;
  for (schedule::PacketId id = 0; id < a.size(); ++id) {
    if (!std::ranges::equal(a.of(id), b.of(id))) return false;
  }
  return true;
}

// Of two packets from 0 to its neighbour 3 one goes round by 1 and 4, and no link carries both.
TEST(RouteNegotiation, sends_packets_a_longer_way_round) {
  const SurvivingNetwork ring(network::parse("torus:2x3"), {{5}, {}});
  const std::vector<Packet> packets{{0, 3, 0, 0}, {0, 3, 1, 0}};
  const SurvivingDistances distances(ring, packets);
  const PacketRoutes routes =
      negotiate(distances, LinkList(ring), packets, first_shortest_routes(ring, packets));
  EXPECT_EQ(busiest(ring, packets, routes), 1u);
  EXPECT_EQ(routes.of(0).size() + routes.of(1).size(), 4u);
}

TEST(RouteNegotiation, lightens_the_busiest_link_around_failures) {
  for (const char* name : {"hexmesh:4", "torus:5x5", "hypercube:4", "torus:3x3x3", "circulant:13:1,5"}) {
    const Network whole = network::parse(name);
    const SurvivingNetwork network(whole, {{5}, {{0, 0}}});
    const auto deliveries =
        schedule::deliveries_of({whole, network.failures(), {.collective = schedule::Collective::alltoall}});
    const std::vector<Packet> packets = schedule::packets_of(whole, deliveries, 1);
    const SurvivingDistances distances(network, packets);
    const LinkList links(network);
    const PacketRoutes before = first_shortest_routes(network, packets);
    const PacketRoutes after = negotiate(distances, links, packets, before);
    EXPECT_LT(busiest(network, packets, after), busiest(network, packets, before)) << name;
    EXPECT_TRUE(same_routes(after, negotiate(distances, links, packets, before))) << name;
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
  EXPECT_EQ(negotiate(SurvivingDistances(network, {}), LinkList(network), {}, {}).size(), 0u);
}

}  // namespace
}  // namespace isotrope::algorithm
