// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hexmesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The neighbours of node 0 of H_3 in the drawing of the header.
TEST(Hexmesh, ports_are_the_six_directions) {
  const Network network = hexmesh(3);

  EXPECT_EQ(network.name(), "hexmesh:3");
  EXPECT_EQ(network.order(), 19);
  EXPECT_THAT(network.generators(), ElementsAre(1, 18, 12, 7, 11, 8));
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 6, 12));
  EXPECT_EQ(network.distance(0, 3), 2);
  EXPECT_EQ(network.distance(0, 13), 2);
}

// The example of Chen, Shin, Kandlur, Fig. 7: from node 11 to node 5 of H_4, two hops -y and one -z.
TEST(Hexmesh, routes_as_in_the_paper) {
  const Network network = hexmesh(4);

  const Node after_two = network.neighbour(network.neighbour(11, 3), 3);
  EXPECT_EQ(network.neighbour(after_two, 5), 5);
  EXPECT_EQ(network.distance(11, 5), 3);
}

TEST(Hexmesh, y_is_x_plus_z) {
  for (std::uint32_t n = 2; n <= 30; ++n) {
    const Network network = hexmesh(n);

    EXPECT_EQ(network.neighbour(network.generators()[0], 4), network.generators()[2]);
  }
}

TEST(Hexmesh, distances_are_exact) {
  for (std::uint32_t n = 2; n <= 30; ++n) expect_exact_metric(hexmesh(n));
}

TEST(Hexmesh, facts) {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    const Network network = hexmesh(n);

    EXPECT_EQ(network.order(), 3 * n * n - 3 * n + 1);
    EXPECT_EQ(network.diameter(), n - 1);
    for (std::uint32_t j = 1; j < n; ++j) EXPECT_EQ(network.distance_counts()[j], 6 * j);
    EXPECT_EQ(3 * network.distance_sum(),
              (2 * n - 1) * std::uint64_t{network.order() - 1});  // average (2n-1)/3
  }
}

TEST(Hexmesh, largest_overflows_nowhere) {
  const Network network = hexmesh(largest_hexmesh_size);

  EXPECT_EQ(network.order(), 67104511);
  std::vector<std::uint64_t> counts(largest_hexmesh_size, 0);
  for (Node node = 0; node < network.order(); ++node) ++counts.at(network.distance(0, node));
  EXPECT_EQ(counts, network.distance_counts());
}

TEST(Hexmesh, refuses_other_sizes) {
  for (std::uint32_t n : {0u, 1u, 4731u, UINT32_MAX}) {
    EXPECT_THAT([n] { hexmesh(n); }, ThrowsMessage<Error>(HasSubstr("a hexagonal mesh has size 2 to 4730")));
  }
}

TEST(Hexmesh, turns_through_six_ports) {
  for (Port port = 0; port < 6; ++port) {
    EXPECT_EQ(clockwise(clockwise(clockwise(port))), port ^ 1);  // 180 degrees
  }
  EXPECT_EQ(clockwise(0), 2u);
  EXPECT_EQ(clockwise(2), 4u);
}

}  // namespace
}  // namespace isotrope::network
