// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/routes_left.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/shortest_routes.hpp"

namespace isotrope::network {
namespace {

SurvivingNetwork damaged(const char* name, std::vector<Node> nodes, std::vector<Link> links) {
  auto [network, lacks] = parse_named(name);
  lacks.nodes = std::move(nodes);
  lacks.links = std::move(links);
  return {std::move(network), std::move(lacks)};
}

TEST(RoutesLeft, are_shortest_and_over_links_that_carry) {
  for (const SurvivingNetwork& network :
       {damaged("torus:4x5", {7}, {{0, 0}}), damaged("hexmesh:3", {1, 2}, {}), damaged("mesh:3x4", {}, {}),
        damaged("line:3xring:6", {4}, {{9, 2}}), damaged("circulant:13:1,5", {}, {{0, 0}, {3, 1}})}) {
    RoutesLeft routes(network);
    std::vector<Port> route;
    for (const Node from : network.nodes()) {
      for (const Node to : network.nodes()) {
        routes.find(from, to, route);
        EXPECT_EQ(route.size(), routes.hops(from, to));
        EXPECT_EQ(route.size(), shortest_route(network, from, to)->size());
        Node node = from;
        for (const Port port : route) {
          ASSERT_TRUE(network.carries(node, port));
          node = network.whole().neighbour(node, port);
        }
        EXPECT_EQ(node, to);
      }
    }
  }
}

// On a whole torus: as shortest_route from even nodes, and its mirror image from odd ones.
TEST(RoutesLeft, go_each_way_round_from_half_of_the_nodes) {
  RoutesLeft routes(damaged("ring:8", {}, {}));
  std::vector<Port> route;
  routes.find(0, 4, route);
  EXPECT_EQ(route, (std::vector<Port>{0, 0, 0, 0}));
  routes.find(1, 5, route);
  EXPECT_EQ(route, (std::vector<Port>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace isotrope::network
