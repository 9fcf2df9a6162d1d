// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/delivery.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Nodes 0, 2 and 3 of a ring of 4 are up.
std::vector<Delivery> around_node_1(Task task) {
  return deliveries_of({network::parse("ring:4"), {{1}, {}}, std::move(task)});
}

TEST(DeliveriesOf, leaves_failed_nodes_out) {
  EXPECT_THAT(around_node_1({.collective = Collective::scatter, .root = 2}),
              ElementsAre(Delivery{2, 0}, Delivery{2, 3}));
  EXPECT_THAT(around_node_1({.collective = Collective::gather, .root = 2}),
              ElementsAre(Delivery{0, 2}, Delivery{3, 2}));
  EXPECT_THAT(around_node_1({.collective = Collective::alltoall}),
              ElementsAre(Delivery{0, 2}, Delivery{0, 3}, Delivery{2, 0}, Delivery{2, 3}, Delivery{3, 0},
                          Delivery{3, 2}));
  EXPECT_THAT(around_node_1({.collective = Collective::isotropic, .destinations = {{2, 5}, {0, 3}, {1, 1}}}),
              ElementsAre(Delivery{0, 2, 5}, Delivery{2, 0, 5}, Delivery{2, 3, 1}, Delivery{3, 0, 1}));
}

// 0 and 2 were 2 hops apart before the failure.
TEST(DeliveriesOf, a_neighbourhood_keep_its_members) {
  EXPECT_THAT(around_node_1({.collective = Collective::neighborhood, .nearest = 1, .farthest = 1}),
              ElementsAre(Delivery{0, 3}, Delivery{2, 3}, Delivery{3, 0}, Delivery{3, 2}));
}

TEST(DeliveriesOf, a_task_are_its_own) {
  const std::vector<Delivery> given{{3, 0, 2}, {0, 2}};
  EXPECT_EQ(around_node_1({.collective = Collective::task, .deliveries = given}), given);
}

TEST(DeliveriesOf, refuses_packets_for_all) {
  EXPECT_THAT(
      [] { around_node_1({.collective = Collective::broadcast}); },
      ThrowsMessage<Error>(HasSubstr("broadcast does not consist of deliveries from node to node: give "
                                     "scatter")));
}

}  // namespace
}  // namespace isotrope::schedule
