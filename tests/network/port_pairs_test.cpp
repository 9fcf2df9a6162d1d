// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PortPairs, negatives_follow_unless_they_coincide) {
  EXPECT_THAT(port_pairs(Group({13}), std::vector<Node>{1, 5}, "step"), ElementsAre(1, 12, 5, 8));
  EXPECT_THAT(port_pairs(Group({8}), std::vector<Node>{7, 4}, "step"), ElementsAre(7, 1, 4));
  EXPECT_THAT(port_pairs(Group({2, 3}), std::vector<Node>{3, 1}, "axis"), ElementsAre(3, 1, 2));
}

TEST(PortPairs, refuses_steps_without_neighbours_of_their_own) {
  const Group group({13});
  const auto pairs = [&](std::vector<Node> steps) {
    return [=, &group] { port_pairs(group, steps, "step"); };
  };

  EXPECT_THAT(pairs({1, 0}), ThrowsMessage<Error>(HasSubstr("step 2 = (0) leads from every node to itself")));
  EXPECT_THAT(pairs({1, 5, 1}),
              ThrowsMessage<Error>(HasSubstr("step 3 = (1) leads to the same neighbours as")));
  EXPECT_THAT(pairs({1, 12}), ThrowsMessage<Error>(HasSubstr("as step 1 = (1)")));
}

}  // namespace
}  // namespace isotrope::network
