// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/cayley.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/torus.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Cayley, says_a_torus_in_full) {
  const Network network = cayley({4, 6}, {{1, 0}, {3, 0}, {0, 1}, {0, 5}});

  EXPECT_EQ(network.name(), "cayley");
  EXPECT_TRUE(same_network(network, torus({4, 6})));
}

TEST(Cayley, distances_are_exact) {
  expect_exact_metric(cayley({4, 6}, {{1, 1}, {3, 5}, {2, 3}, {0, 1}, {0, 5}}));
  expect_exact_metric(cayley({2, 3, 5}, {{1, 1, 1}, {1, 2, 4}}));
  expect_exact_metric(cayley({1}, {}));
}

TEST(Cayley, largest_is_judged_without_a_search) {
  EXPECT_EQ(cayley({1u << 26}, {{1}, {(1u << 26) - 1}}).order(), 1u << 26);
  EXPECT_THAT(
      [] {
        cayley({1u << 26}, {{2}, {(1u << 26) - 2}});
      },
      ThrowsMessage<Error>(HasSubstr("reach only 33554432 of 67108864 nodes")));
}

TEST(Cayley, refuses_bad_coordinates) {
  EXPECT_THAT([] { cayley({4, 6}, {{1}}); }, ThrowsMessage<Error>(HasSubstr("one per modulus")));
  EXPECT_THAT([] { cayley({4, 6}, {{4, 0}}); }, ThrowsMessage<Error>(HasSubstr("outside 0..3")));
  EXPECT_THAT(
      [] {
        cayley({4, 6}, {{1, 0}});
      },
      ThrowsMessage<Error>(HasSubstr("without its negative (3,0)")));
}

}  // namespace
}  // namespace isotrope::network
