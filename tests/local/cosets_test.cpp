// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/cosets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isotrope::local {
namespace {

using schedule::Replication;
using testing::ElementsAre;
using testing::IsEmpty;

// Z_4 x Z_3, row-major: nodes 0..2 have first coordinate 0, 3..5 have 1, and so on.
const network::Group group({4, 3});

TEST(Cosets, of_an_even_axis) {
  const Cosets cosets(group, Replication::even(0));

  EXPECT_EQ(cosets.count(), 2U);
  EXPECT_THAT(cosets.translations(), ElementsAre(0, 1, 2, 6, 7, 8));
  EXPECT_THAT(cosets.nodes(), ElementsAre(0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11));
  EXPECT_THAT(cosets.members(0, {4, 9}), ElementsAre(7, 8));
  EXPECT_THAT(cosets.members(1, {4, 9}), ElementsAre(3, 4, 5));
  EXPECT_THAT(cosets.members(1, {0, 6}), IsEmpty());
}

TEST(Cosets, of_all_and_none) {
  const Cosets one(group, Replication::all());
  const Cosets each(group, Replication::none());

  EXPECT_EQ(one.count(), 1U);
  EXPECT_THAT(one.members(0, {2, 5}), ElementsAre(2, 3, 4));
  EXPECT_EQ(each.count(), 12U);
  EXPECT_THAT(each.translations(), ElementsAre(0));
  EXPECT_THAT(each.members(7, {0, 12}), ElementsAre(7));
  EXPECT_THAT(each.members(7, {8, 12}), IsEmpty());
}

}  // namespace
}  // namespace isotrope::local
