// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/routing_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cost/plans.hpp"

namespace isotrope::simulate {
namespace {

using testing::HasSubstr;
using Order = RoutingPolicy::Order;

TEST(RoutingPolicyNames, are_read_as_they_are_written) {
  EXPECT_EQ(to_string(RoutingPolicy{Order::largest_residual, true}), "symmetric-largest-residual");
  EXPECT_EQ(to_string(RoutingPolicy{Order::random, false}), "random");
  for (const bool symmetric : {false, true}) {
    for (const Order order :
         {Order::random, Order::oldest, Order::nearest, Order::farthest, Order::largest_residual}) {
      const RoutingPolicy policy{order, symmetric};
      EXPECT_EQ(parse_routing_policy(to_string(policy)), policy);
    }
  }
}

TEST(RoutingPolicyNames, that_are_unknown_are_refused_with_the_nearest) {
  EXPECT_THAT(cost::error_of([] { parse_routing_policy("symmetric-oldset"); }),
              HasSubstr("did you mean symmetric-oldest?"));
  EXPECT_THAT(cost::error_of([] { parse_routing_policy(""); }), HasSubstr("unknown policy ''"));
  EXPECT_THAT(cost::error_of([] { parse_routing_policy("symmetric-"); }), HasSubstr("unknown policy"));
}

}  // namespace
}  // namespace isotrope::simulate
