// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hexmesh_route.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/parse.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// How many shortest paths lead from node 0 to every node, counted node by node in order of distance.
std::vector<std::uint64_t> counted_paths(const Network& network,
                                         const std::vector<std::uint32_t>& distances) {
  std::vector<std::uint64_t> paths(network.order(), 0);
  paths[0] = 1;
  for (std::uint32_t level = 0; level < network.diameter(); ++level) {
    for (Node node = 0; node < network.order(); ++node) {
      if (distances[node] != level) continue;
      for (Port port = 0; port < network.degree(); ++port) {
        const Node next = network.neighbour(node, port);
        if (distances[next] == level + 1) paths[next] += paths[node];
      }
    }
  }
  return paths;
}

// Chen, Shin, Kandlur, Section IV-B, from 11 to 5 on H_4: k = 31, r = 2, t = 7.
TEST(HexmeshRoute, is_that_of_the_paper) {
  const HexmeshRouting routing(4);

  const RoutingRecord record = routing.record(11, 5);
  EXPECT_EQ(record, (RoutingRecord{0, -2, -1}));
  EXPECT_EQ(record, routing.record(31));
  EXPECT_EQ(record.hops(), 3);
  EXPECT_EQ(record.paths(), "3");
  EXPECT_EQ(HexmeshRouting::next_port(record), 3);
  EXPECT_EQ(routing.hop({11, record}, 3), (RoutedMessage{21, {0, -1, -1}}));
  EXPECT_EQ(routing.hop({31, {0, 0, -1}}, 5), (RoutedMessage{5, {0, 0, 0}}));
}

// The six neighbours, and node 0 itself.
TEST(HexmeshRoute, of_a_neighbour_is_one_hop) {
  for (std::uint32_t n = 2; n <= 30; ++n) {
    const Network network = hexmesh(n);
    const HexmeshRouting routing(n);

    EXPECT_TRUE(routing.record(0).arrived());
    for (Port port = 0; port < network.degree(); ++port) {
      const RoutingRecord record = routing.record(network.neighbour(0, port));
      EXPECT_EQ(record.hops(), 1);
      EXPECT_EQ(HexmeshRouting::next_port(record), port);
    }
  }
}

TEST(HexmeshRoute, is_shortest_and_leads_to_every_destination) {
  for (std::uint32_t n = 2; n <= 30; ++n) {
    const Network network = hexmesh(n);
    const HexmeshRouting routing(n);
    const std::vector<std::uint32_t> distances = searched_distances(network);

    for (Node to = 0; to < network.order(); ++to) {
      RoutedMessage message{0, routing.record(0, to)};
      ASSERT_EQ(message.record.hops(), distances[to]) << n << " " << to;
      while (!message.record.arrived()) {
        const Port port = HexmeshRouting::next_port(message.record);
        const Node next = network.neighbour(message.at, port);
        message = routing.hop(message, port);
        ASSERT_EQ(message.at, next);
        ASSERT_EQ(message.record, routing.record(next, to)) << "the record stays that of the rest of the way";
      }
      ASSERT_EQ(message.at, to) << n;
    }
  }
}

TEST(HexmeshRoute, has_as_many_paths_as_a_search_counts) {
  for (std::uint32_t n = 2; n <= 14; ++n) {
    const Network network = hexmesh(n);
    const HexmeshRouting routing(n);
    const std::vector<std::uint64_t> paths = counted_paths(network, searched_distances(network));

    for (Node to = 0; to < network.order(); ++to)
      ASSERT_EQ(routing.record(to).paths(), std::to_string(paths[to])) << n << " " << to;
  }
}

TEST(HexmeshRoute, depends_on_the_difference_only) {
  const HexmeshRouting routing(5);
  for (Node from = 0; from < routing.order(); ++from) {
    for (Node to = 0; to < routing.order(); ++to)
      ASSERT_EQ(routing.record(from, to), routing.record((to + routing.order() - from) % routing.order()));
  }
}

TEST(HexmeshRoute, overflows_nowhere) {
  const Network network = hexmesh(largest_hexmesh_size);
  const HexmeshRouting routing(largest_hexmesh_size);
  for (Node to = 0; to < network.order(); to += 997)
    ASSERT_EQ(routing.record(to).hops(), network.distance(0, to)) << to;
}

TEST(HexmeshRoute, knows_a_hexagonal_mesh_by_its_generators) {
  for (std::uint32_t n = 2; n <= 12; ++n) EXPECT_EQ(hexmesh_size(hexmesh(n)), n);
  EXPECT_EQ(hexmesh_size(hexmesh(largest_hexmesh_size)), largest_hexmesh_size);
  EXPECT_EQ(hexmesh_size(parse("cayley:19:1/18/12/7/11/8")), 3u);
  for (const char* other : {"circulant:19:1,7,8", "complete:7", "torus:3x3x3", "hypercube:6", "ring:19"})
    EXPECT_EQ(hexmesh_size(parse(other)), std::nullopt) << other;
}

TEST(HexmeshRoute, refuses_other_sizes) {
  for (const std::uint32_t n : {0u, 1u, 4731u}) {
    EXPECT_THAT([n] { HexmeshRouting routing(n); },
                ThrowsMessage<Error>(HasSubstr("a hexagonal mesh has size 2 to 4730")));
  }
}

}  // namespace
}  // namespace isotrope::network
