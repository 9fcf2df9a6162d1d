// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/shortest_routes.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr const char* families[] = {
    "ring:1",
    "ring:2",
    "ring:3",
    "ring:8",
    "torus:3x4",
    "torus:4x4",
    "torus:2x6x3",
    "torus:2x2x4",
    "hypercube:5",
    "cayley:2x2:0,1/1,0",
    "hexmesh:2",
    "hexmesh:4",
    "cayley:19:1/18/12/7/11/8",
    "twisted-torus:2x2x4",
    "twisted-torus:4x8",
    "twisted-torus:8,0/3,8",
    "circulant:13:1,5",
    "circulant:24:1,5",
    "circulant:16:1,8",
    "complete:8",
    "cayley:4x6:1,0/3,0/0,1/0,5",
    "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3",
};

// All shortest routes from node 0, written out hop by hop.
void write_routes(const Network& network, Node to, std::vector<Port>& route, Node at,
                  std::vector<std::vector<Port>>& routes) {
  if (at == to) {
    routes.push_back(route);
    return;
  }
  for (Port port = 0; port < network.degree(); ++port) {
    const Node next = network.neighbour(at, port);
    if (network.distance(next, to) + 1 != network.distance(at, to)) continue;
    route.push_back(port);
    write_routes(network, to, route, next, routes);
    route.pop_back();
  }
}

std::vector<std::vector<Port>> all_routes(const Network& network, Node from, Node to) {
  std::vector<std::vector<Port>> routes;
  std::vector<Port> route;
  write_routes(network, to, route, from, routes);
  return routes;
}

// The drawing of the header.
TEST(ShortestRoutes, on_a_torus) {
  const Network torus = parse("torus:4x4");

  const std::vector<Port> route = shortest_route(torus, 0, 11);
  EXPECT_THAT(route, ElementsAre(0, 0, 3));
  EXPECT_THAT(nodes_along(torus, 0, route), ElementsAre(0, 4, 8, 11));
  EXPECT_THAT(hops_per_port(torus, route), ElementsAre(2, 0, 0, 1));
  EXPECT_EQ(count_shortest_routes(torus, 0, 11), "6");
  EXPECT_THAT(shortest_route(torus, 5, 5), IsEmpty());
  EXPECT_EQ(count_shortest_routes(torus, 5, 5), "1");
}

// Chen, Shin, Kandlur, Fig. 7.
TEST(ShortestRoutes, on_a_hexagonal_mesh) {
  const Network mesh = parse("hexmesh:4");

  EXPECT_THAT(nodes_along(mesh, 11, shortest_route(mesh, 11, 5)), ElementsAre(11, 21, 31, 5));
  EXPECT_EQ(count_shortest_routes(mesh, 11, 5), "3");
}

// Against all shortest routes, written out: one is the first of them, and their number is right.
TEST(ShortestRoutes, are_counted_and_chosen_as_all_of_them_written_out) {
  for (const char* name : families) {
    const Network network = parse(name);
    const Node from = network.order() / 3;
    for (Node to = 0; to < network.order(); ++to) {
      const auto routes = all_routes(network, from, to);
      ASSERT_EQ(shortest_route(network, from, to), *std::ranges::min_element(routes)) << name << " " << to;
      ASSERT_EQ(count_shortest_routes(network, from, to), std::to_string(routes.size())) << name << " " << to;
    }
  }
}

TEST(ShortestRoutes, use_their_ports_in_ascending_order) {
  for (const char* name : families) {
    const Network network = parse(name);
    for (Node to = 0; to < network.order(); ++to) {
      const std::vector<Port> route = shortest_route(network, 0, to);
      EXPECT_TRUE(std::ranges::is_sorted(route)) << name;
      EXPECT_EQ(route.size(), network.distance(0, to)) << name;
      EXPECT_EQ(nodes_along(network, 0, route).back(), to) << name;
    }
  }
}

// From corner to corner: 20! on a hypercube, C(40, 20) times 4 on a torus crossed half-way both ways.
TEST(ShortestRoutes, may_be_very_many) {
  EXPECT_EQ(count_shortest_routes(parse("hypercube:20"), 0, (1u << 20) - 1), "2432902008176640000");
  EXPECT_EQ(count_shortest_routes(parse("torus:40x40"), 0, 20 * 40 + 20), "551386115280");
}

// Z_15 x Z_16 is Z_240 by (a, b) -> 16 a + 15 b, a torus whose generators are no unit vectors: the levels
// count what the closed form counts on the torus.
TEST(ShortestRoutes, are_counted_alike_by_levels_and_in_closed_form) {
  const Network torus = parse("torus:15x16"), circulant = parse("circulant:240:16,15");
  for (Node a = 0; a < 15; ++a) {
    for (Node b = 0; b < 16; ++b) {
      EXPECT_EQ(count_shortest_routes(torus, 0, 16 * a + b),
                count_shortest_routes(circulant, 0, (16 * a + 15 * b) % 240))
          << a << " " << b;
    }
  }
}

// A ring with a link out goes the other way round.
TEST(ShortestRoutes, go_around_failures) {
  const Network ring = parse("ring:7");
  const SurvivingNetwork cut(ring, {{}, {{1, 0}}});

  EXPECT_THAT(shortest_route(cut, 0, 2).value(), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(shortest_route(cut, 2, 4).value(), ElementsAre(0, 0));
  EXPECT_EQ(shortest_route(SurvivingNetwork(ring, {{1, 4}, {}}), 0, 2), std::nullopt);
}

// Failures at random: a route that is as short as the search says, over links that carry.
TEST(ShortestRoutes, are_as_short_as_failures_allow) {
  std::mt19937 random(1990);
  for (const char* name : families) {
    const Network network = parse(name);
    if (network.order() < 8) continue;
    std::uniform_int_distribution<Node> any_node(1, network.order() - 1);
    std::uniform_int_distribution<Port> any_port(0, network.degree() - 1);
    for (int trial = 0; trial < 5; ++trial) {
      Failures failures;
      failures.nodes = {any_node(random)};
      for (Node link = 0; link < network.order() / 3; ++link)
        failures.links.push_back({any_node(random), any_port(random)});
      const SurvivingNetwork left(network, failures);
      const std::vector<std::uint32_t> distance = left.distances(0);
      for (const Node to : left.nodes()) {
        const auto route = shortest_route(left, 0, to);
        ASSERT_EQ(route.has_value(), distance[to] != unreachable) << name;
        if (!route) continue;
        EXPECT_EQ(route->size(), distance[to]) << name;
        Node at = 0;
        for (const Port port : *route) {
          EXPECT_TRUE(left.carries(at, port)) << name;
          at = network.neighbour(at, port);
        }
        EXPECT_EQ(at, to) << name;
      }
    }
  }
}

TEST(ShortestRoutes, without_failures_are_those_of_the_whole_network) {
  for (const char* name : families) {
    const Network network = parse(name);
    const SurvivingNetwork whole(network, {});
    for (Node to = 0; to < network.order(); ++to)
      EXPECT_EQ(shortest_route(whole, 0, to), shortest_route(network, 0, to)) << name << " " << to;
  }
}

TEST(ShortestRoutes, refuse_nodes_that_are_not_there) {
  const Network ring = parse("ring:7");
  EXPECT_THAT([&] { shortest_route(ring, 0, 7); },
              ThrowsMessage<Error>(HasSubstr("the nodes of ring:7 are 0..6")));
  EXPECT_THAT([&] { count_shortest_routes(ring, 9, 0); },
              ThrowsMessage<Error>(HasSubstr("the nodes of ring:7 are 0..6")));
  const SurvivingNetwork left(ring, {{3}, {}});
  EXPECT_THAT([&] { shortest_route(left, 3, 0); }, ThrowsMessage<Error>(HasSubstr("node 3 has failed")));
  EXPECT_THAT([&] { shortest_route(left, 0, 7); },
              ThrowsMessage<Error>(HasSubstr("the nodes of ring:7 are 0..6")));
}

}  // namespace
}  // namespace isotrope::network
