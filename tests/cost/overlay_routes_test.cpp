// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/overlay_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::cost {
namespace {

using network::Network;
using network::Node;
using network::Port;

Network joined_to_all(const network::Group& group) {
  std::vector<Node> others(group.order() - 1);
  std::iota(others.begin(), others.end(), Node{1});
  return Network("cayley", group, std::move(others));
}

std::vector<Port> ports_of(std::span<const Port> way) {
  return {way.begin(), way.end()};
}

class OverlayRoutesOn : public testing::TestWithParam<const char*> {};

// Also if the overlay is of another group, as the complete network of Z_N on a hypercube.
TEST_P(OverlayRoutesOn, lead_to_the_receiver_on_shortest_ways) {
  const Network machine = network::parse(GetParam());
  for (const Network& overlay : {joined_to_all(machine.group()), network::complete(machine.order())}) {
    OverlayRoutes routes(machine, {}, overlay);
    for (Node from = 0; from < machine.order(); ++from) {
      for (Port port = 0; port < overlay.degree(); ++port) {
        const std::span<const Port> way = routes.way(from, port);
        const Node to = overlay.neighbour(from, port);
        Node node = from;
        for (const Port hop : way) node = machine.neighbour(node, hop);
        ASSERT_EQ(node, to) << from;
        EXPECT_EQ(way.size(), machine.distance(from, to)) << from << ' ' << to;
        EXPECT_TRUE(std::ranges::is_sorted(way)) << from << ' ' << to;
      }
    }
  }
}

TEST_P(OverlayRoutesOn, are_the_same_after_translations_that_keep_them) {
  const Network machine = network::parse(GetParam());
  const Network overlay = joined_to_all(machine.group());
  OverlayRoutes routes(machine, {}, overlay);
  Node kept = 0;
  for (Node shift = 0; shift < machine.order(); ++shift) {
    if (!routes.keeps_ways(shift)) continue;
    ++kept;
    for (Node from = 0; from < machine.order(); ++from) {
      for (Port port = 0; port < overlay.degree(); ++port)
        ASSERT_EQ(ports_of(routes.way(from, port)),
                  ports_of(routes.way(machine.group().add(from, shift), port)));
    }
  }
  EXPECT_GE(2 * kept, machine.order());
}

INSTANTIATE_TEST_SUITE_P(Networks, OverlayRoutesOn,
                         testing::Values("ring:2", "ring:7", "ring:8", "torus:3x4", "torus:4x5", "torus:4x4",
                                         "hypercube:4", "hexmesh:3", "circulant:13:1,5",
                                         "circulant:24:1,5,12", "twisted-torus:2x2x4"));

// Of a total exchange, over the busiest and the average link.
double excess(const char* name) {
  const Network machine = network::parse(name);
  const Network overlay = joined_to_all(machine.group());
  OverlayRoutes routes(machine, {}, overlay);
  std::vector<std::uint64_t> loads(machine.directed_links(), 0);
  for (Node from = 0; from < machine.order(); ++from) {
    for (Port port = 0; port < overlay.degree(); ++port) {
      Node node = from;
      for (const Port hop : routes.way(from, port)) {
        ++loads[std::uint64_t{node} * machine.degree() + hop];
        node = machine.neighbour(node, hop);
      }
    }
  }
  const std::uint64_t all = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
  return static_cast<double>(std::ranges::max(loads) * loads.size()) / static_cast<double>(all);
}

TEST(OverlayRoutes, load_links_evenly) {
  for (const char* name : {"ring:8", "ring:9", "torus:4x4", "hypercube:4", "hexmesh:3", "circulant:25:1,7"})
    EXPECT_DOUBLE_EQ(excess(name), 1) << name;
  for (const char* name :
       {"circulant:29:1,5,12", "circulant:30:1,7,11", "circulant:64:1,8", "twisted-torus:4x4x8"})
    EXPECT_LT(excess(name), 1.4) << name;
}

class OverlayRoutesAround : public testing::TestWithParam<const char*> {};

network::SurvivingNetwork left_of(const char* name, std::vector<network::Link> failed = {}) {
  auto [machine, lacks] = network::parse_named(name);
  lacks.links = std::move(failed);
  return {std::move(machine), std::move(lacks)};
}

// Over links that are there, whatever the group of the overlay.
void expect_shortest_ways(const network::SurvivingNetwork& left) {
  const Network& machine = left.whole();
  for (const Network& overlay : {joined_to_all(machine.group()), network::complete(machine.order())}) {
    OverlayRoutes routes(machine, left.failures(), overlay);
    EXPECT_FALSE(routes.keeps_ways(0));
    for (Node from = 0; from < machine.order(); ++from) {
      const std::vector<std::uint32_t> distances = left.distances(from);
      for (Port port = 0; port < overlay.degree(); ++port) {
        const Node to = overlay.neighbour(from, port);
        EXPECT_EQ(routes.hops(from, port), distances[to]) << from << ' ' << to;
        const std::vector<Port> way = ports_of(routes.way(from, port));
        EXPECT_EQ(way.size(), distances[to]) << from << ' ' << to;
        Node node = from;
        for (const Port hop : way) {
          ASSERT_TRUE(left.carries(node, hop)) << from << ' ' << to;
          node = machine.neighbour(node, hop);
        }
        ASSERT_EQ(node, to) << from;
      }
    }
  }
}

TEST_P(OverlayRoutesAround, lead_to_the_receiver_on_shortest_ways) {
  expect_shortest_ways(left_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Networks, OverlayRoutesAround,
                         testing::Values("line:3", "line:8", "mesh:4x4", "mesh:3x5", "line:3xring:6",
                                         "line:3xcomplete:4", "hypercube:2xline:5"));

TEST(OverlayRoutes, lead_round_failed_links) {
  expect_shortest_ways(left_of("torus:4x4", {{0, 0}, {5, 2}}));
  expect_shortest_ways(left_of("hexmesh:3", {{0, 0}, {0, 1}, {7, 3}}));
  expect_shortest_ways(left_of("mesh:3x4", {{0, 0}}));
}

// Axis by axis; half-way round a closed axis, even and odd senders take one way each.
TEST(OverlayRoutes, go_axis_by_axis_where_axes_are_open) {
  const auto [machine, lacks] = network::parse_named("line:3xring:4");
  const Network all = network::complete(machine.order());
  OverlayRoutes routes(machine, lacks, all);
  const auto way = [&](Node from, Node to) { return ports_of(routes.way(from, (to + 12 - from) % 12 - 1)); };
  EXPECT_EQ(way(0, 9), (std::vector<Port>{0, 0, 2}));
  EXPECT_EQ(way(9, 0), (std::vector<Port>{1, 1, 3}));
  EXPECT_EQ(way(0, 2), (std::vector<Port>{2, 2}));
  EXPECT_EQ(way(1, 3), (std::vector<Port>{3, 3}));
}

}  // namespace
}  // namespace isotrope::cost
