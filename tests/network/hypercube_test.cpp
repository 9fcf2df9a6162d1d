// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hypercube.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

TEST(Hypercube, port_flips_its_bit) {
  const Network network = hypercube(3);

  EXPECT_EQ(network.name(), "hypercube:3");
  EXPECT_THAT(network.generators(), ElementsAre(1, 2, 4));
  EXPECT_EQ(network.neighbour(0b101, 0), 0b100);
  EXPECT_EQ(network.neighbour(0b101, 1), 0b111);
  EXPECT_EQ(network.neighbour(0b101, 2), 0b001);
  EXPECT_THAT(network.group().coordinates(0b011), ElementsAre(0, 1, 1));  // the last coordinate is bit 0
  EXPECT_EQ(network.distance(0b101, 0b010), 3);
}

TEST(Hypercube, distances_are_exact) {
  for (std::uint32_t d = 1; d <= 10; ++d) expect_exact_metric(hypercube(d));
}

TEST(Hypercube, facts) {
  for (std::uint32_t d = 1; d <= 26; ++d) {
    const Network network = hypercube(d);

    EXPECT_THAT(network.group().moduli(), SizeIs(d));
    EXPECT_THAT(network.group().moduli(), Each(2));
    EXPECT_EQ(network.degree(), d);
    EXPECT_EQ(network.diameter(), d);
    EXPECT_EQ(network.distance_sum(), std::uint64_t{d} << (d - 1));  // half the bits of all nodes
  }
}

TEST(Hypercube, largest_is_counted_without_enumeration) {
  const Network network = hypercube(26);

  EXPECT_EQ(network.order(), 1u << 26);
  EXPECT_EQ(network.distance_counts()[13], 10400600);  // C(26,13)
  EXPECT_EQ(network.distance(0, (1u << 26) - 1), 26);
}

TEST(Hypercube, refuses_other_dimensions) {
  EXPECT_THAT([] { hypercube(0); },
              ThrowsMessage<Error>(HasSubstr("d = 0: a hypercube has 1 to 26 dimensions")));
  EXPECT_THAT([] { hypercube(27); }, ThrowsMessage<Error>(HasSubstr("d = 27: a hypercube has 1 to 26")));
}

}  // namespace
}  // namespace isotrope::network
