// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"

#include "tests/network/reference.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Steps = std::vector<Coordinate>;

TEST(Circulant, thirteen_nodes_by_hand) {
  const Network network = circulant(13, Steps{1, 5});

  EXPECT_EQ(network.name(), "circulant:13:1,5");
  EXPECT_THAT(network.generators(), ElementsAre(1, 12, 5, 8));
  EXPECT_THAT(network.distance_counts(), ElementsAre(1, 4, 8));
}

TEST(Circulant, half_way_step_has_one_port) {
  EXPECT_THAT(circulant(8, Steps{1, 4}).generators(), ElementsAre(1, 7, 4));
  EXPECT_THAT(circulant(2, Steps{1}).generators(), ElementsAre(1));
}

TEST(Circulant, steps_are_reduced) {
  const Network network = circulant(13, Steps{14, 5});

  EXPECT_EQ(network.name(), "circulant:13:1,5");
}

TEST(Circulant, distances_are_exact) {
  EXPECT_TRUE(rc::check("step 1 and any others", [] {
    const auto modulus = *rc::gen::inRange<Coordinate>(2, 200);
    const auto others = *rc::gen::unique<Steps>(2, rc::gen::inRange<Coordinate>(2, 102));
    Steps steps{1};
    for (Coordinate step : others) {
      if (2 * step <= modulus) steps.push_back(step);
    }
    expect_exact_metric(circulant(modulus, steps));
    RC_ASSERT_FALSE(testing::Test::HasFailure());
  }));
}

TEST(Circulant, refuses_bad_steps) {
  const auto with = [](Coordinate modulus, Steps steps) { return [=] { circulant(modulus, steps); }; };

  EXPECT_THAT(with(0, {1}), ThrowsMessage<Error>(HasSubstr("modulus 0")));
  EXPECT_THAT(with(13, {13}),
              ThrowsMessage<Error>(HasSubstr("circulant:13:0: step 1 = (0) leads from every node")));
  EXPECT_THAT(with(13, {1, 12}),
              ThrowsMessage<Error>(HasSubstr("step 2 = (12) leads to the same neighbours")));
  EXPECT_THAT(with(13, {5, 5}), ThrowsMessage<Error>(HasSubstr("step 2 = (5) leads to the same neighbours")));
  EXPECT_THAT(with(12, {4, 6}), ThrowsMessage<Error>(HasSubstr("reach only 6 of 12 nodes")));
}

}  // namespace
}  // namespace isotrope::network
