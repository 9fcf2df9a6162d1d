// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/overlay_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
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

class OverlayRoutesOn : public testing::TestWithParam<const char*> {};

// Also if the overlay is of another group, as the complete network of Z_N on a hypercube.
TEST_P(OverlayRoutesOn, lead_to_the_receiver_on_shortest_ways) {
  const Network machine = network::parse(GetParam());
  for (const Network& overlay : {joined_to_all(machine.group()), network::complete(machine.order())}) {
    const OverlayRoutes routes(machine, overlay);
    for (Node from = 0; from < machine.order(); ++from) {
      for (Port port = 0; port < overlay.degree(); ++port) {
        const std::vector<Port>& way = routes.way(from, port);
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
  const OverlayRoutes routes(machine, overlay);
  Node kept = 0;
  for (Node shift = 0; shift < machine.order(); ++shift) {
    if (!routes.keeps_ways(shift)) continue;
    ++kept;
    for (Node from = 0; from < machine.order(); ++from) {
      for (Port port = 0; port < overlay.degree(); ++port)
        ASSERT_EQ(routes.way(from, port), routes.way(machine.group().add(from, shift), port));
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
  const OverlayRoutes routes(machine, overlay);
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

}  // namespace
}  // namespace isotrope::cost
