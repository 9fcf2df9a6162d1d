// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/complete.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Complete, port_leads_one_farther_than_its_number) {
  const Network network = complete(4);

  EXPECT_EQ(network.name(), "complete:4");
  EXPECT_THAT(network.generators(), ElementsAre(1, 2, 3));
  EXPECT_EQ(network.neighbour(3, 1), 1);
  EXPECT_EQ(network.opposite(0), 2);
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 3));
}

TEST(Complete, distances_are_exact) {
  for (Node order = 1; order <= 20; ++order) expect_exact_metric(complete(order));
}

TEST(Complete, largest_meets_the_limits) {
  const Network network = complete(65536);

  EXPECT_EQ(network.degree(), largest_degree);
  EXPECT_LE(network.directed_links(), largest_link_count);
}

TEST(Complete, refuses_other_orders) {
  EXPECT_THAT([] { complete(0); },
              ThrowsMessage<Error>(HasSubstr("N = 0: a complete network has 1 to 65536")));
  EXPECT_THAT([] { complete(65537); }, ThrowsMessage<Error>(HasSubstr("N = 65537")));
}

}  // namespace
}  // namespace isotrope::network
