// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/torus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Torus, ports_follow_the_axes) {
  const Network network = torus({3, 4});

  EXPECT_EQ(network.name(), "torus:3x4");
  EXPECT_THAT(network.generators(), ElementsAre(4, 8, 1, 3));  // 1+, 1-, 2+, 2-
  EXPECT_EQ(network.neighbour(5, 0), 9);
  EXPECT_EQ(network.neighbour(5, 1), 1);
  EXPECT_EQ(network.neighbour(5, 2), 6);
  EXPECT_EQ(network.neighbour(5, 3), 4);
  // Counts 1,2 of the 3-cycle with 1,2,1 of the 4-cycle.
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 4, 5, 2));
}

TEST(Torus, short_extents_have_fewer_ports) {
  EXPECT_THAT(torus({2, 1, 3}).generators(), ElementsAre(3, 1, 2));
  EXPECT_THAT(torus({1}).generators(), IsEmpty());
  EXPECT_THAT(torus({1, 1}).distance_counts(), ElementsAre(1));
}

TEST(Torus, ring_is_a_torus_of_one_extent) {
  EXPECT_EQ(ring(9).name(), "ring:9");
  EXPECT_EQ(torus({9}).name(), "torus:9");
  for (Coordinate nodes = 1; nodes <= 9; ++nodes) EXPECT_TRUE(same_network(ring(nodes), torus({nodes})));
  EXPECT_THAT(ring(6).distance_counts(), ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(ring(7).distance_counts(), ElementsAre(1, 2, 2, 2));
}

TEST(Torus, distances_are_exact) {
  EXPECT_TRUE(rc::check("any extents", [] {
    const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
    expect_exact_metric(
        torus(*rc::gen::container<std::vector<Coordinate>>(rank, rc::gen::inRange<Coordinate>(1, 8))));
    RC_ASSERT_FALSE(testing::Test::HasFailure());
  }));
}

TEST(Torus, one_step_changes_one_coordinate_by_one) {
  EXPECT_TRUE(rc::check("MPI_Cart_shift", [] {
    const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
    const Network network =
        torus(*rc::gen::container<std::vector<Coordinate>>(rank, rc::gen::inRange<Coordinate>(3, 9)));
    const Group& group = network.group();
    const Node node = *rc::gen::inRange<Node>(0, network.order());
    for (Port port = 0; port < network.degree(); ++port) {
      std::vector<Coordinate> moved = group.coordinates(node);
      Coordinate& x = moved[port / 2];
      const Coordinate extent = group.moduli()[port / 2];
      x = (port % 2 == 0 ? x + 1 : x + extent - 1) % extent;
      RC_ASSERT(network.neighbour(node, port) == group.number(moved));
    }
  }));
}

TEST(Torus, largest_is_counted_without_enumeration) {
  const Network network = torus({1024, 256, 256});

  EXPECT_EQ(network.order(), 1u << 26);
  EXPECT_EQ(network.diameter(), 768);
  EXPECT_DOUBLE_EQ(network.average_distance(), (256.0 + 64 + 64) * (1u << 26) / ((1u << 26) - 1));
}

TEST(Torus, refuses_bad_extents) {
  EXPECT_THAT([] { torus({}); }, ThrowsMessage<Error>(HasSubstr("give 1 to 64 moduli")));
  EXPECT_THAT([] { torus({4, 0}); }, ThrowsMessage<Error>(HasSubstr("modulus 0")));
  EXPECT_THAT([] { ring(0); }, ThrowsMessage<Error>(HasSubstr("modulus 0")));
  EXPECT_THAT([] { torus({100000, 100000}); }, ThrowsMessage<Error>(HasSubstr("more than 2^26")));
}

}  // namespace
}  // namespace isotrope::network
