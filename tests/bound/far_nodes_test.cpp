// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using network::Network;

std::uint64_t broadcast_bound(const Network& network,
                              schedule::PortModel ports = schedule::PortModel::one()) {
  return lower_bounds(
             {.network = network, .task = {.collective = schedule::Collective::broadcast}, .ports = ports})
      .front()
      .value;
}

// Chen, Shin, Kandlur 1990, Theorem 3, for every size.
TEST(FarNodes, of_a_hexagonal_mesh_are_at_least_its_size) {
  for (std::uint32_t n = 3; n <= 40; ++n) {
    const Network mesh = network::hexmesh(n);
    EXPECT_EQ(broadcast_bound(mesh), n + 2);
  }
  EXPECT_EQ(broadcast_bound(network::hexmesh(2)), 3u);
}

// Facts found by exhaustion: hexmesh:5 over two ports, and odd rings and tori, take a round more than the distance.
TEST(FarNodes, see_what_distance_and_doubling_do_not) {
  EXPECT_EQ(broadcast_bound(network::parse("ring:9")), 5U);
  EXPECT_EQ(broadcast_bound(network::parse("torus:5x5")), 5U);
  EXPECT_EQ(broadcast_bound(network::hexmesh(5), schedule::PortModel::ports(2)), 5U);
}

TEST(FarNodes, are_not_counted_if_that_would_take_long) {
  EXPECT_EQ(broadcast_bound(network::parse("complete:600")), 10U);
  EXPECT_EQ(broadcast_bound(network::parse("ring:1000000")), 500000U);
}

}  // namespace
}  // namespace isotrope::bound
