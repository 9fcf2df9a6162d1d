// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/isotropic_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using testing::ElementsAre;

TEST(IsotropicTask, has_the_destinations_of_its_distances) {
  const Network torus = network::parse("torus:3x3");
  EXPECT_EQ(relative_destinations(torus, parse_task("alltoall", torus)).size(), 8);
  EXPECT_THAT(relative_destinations(torus, parse_task("neighborhood:1:1", torus)),
              ElementsAre(RelativeDestination{1, 1}, RelativeDestination{2, 1}, RelativeDestination{3, 1},
                          RelativeDestination{6, 1}));
  EXPECT_TRUE(relative_destinations(torus, parse_task("neighborhood:3:4", torus)).empty());
}

TEST(IsotropicTask, lists_packets_in_relative_addresses) {
  const Network ring = network::parse("ring:5");
  const std::vector<RelativeDestination> destinations{{2, 2}, {4, 1}};
  EXPECT_THAT(isotropic_packets(ring, destinations, 2, 3, 1),
              ElementsAre(Packet{3, 0, 1, 0}, Packet{3, 0, 1, 1}, Packet{3, 0, 2, 0}, Packet{3, 0, 2, 1},
                          Packet{3, 2, 3, 0}, Packet{3, 2, 3, 1}));
}

TEST(IsotropicTask, refuses_collectives_that_say_no_destinations) {
  const Network ring = network::parse("ring:5");
  for (const char* name : {"broadcast", "isotropic", "scatter"}) {
    EXPECT_THAT([&] { relative_destinations(ring, parse_task(name, ring)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("give alltoall or neighborhood:K:L")));
  }
}

}  // namespace
}  // namespace isotrope::schedule
