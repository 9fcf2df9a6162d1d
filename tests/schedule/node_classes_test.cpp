// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/node_classes.hpp"

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

TEST(NodeClasses, are_one_two_or_as_many_as_nodes) {
  const network::Group group({4, 3});
  const NodeClasses all(group, Replication::all()), even(group, Replication::even(0)),
      none(group, Replication::none());

  EXPECT_EQ(all.count(), 1u);
  EXPECT_EQ(all.size(), 12u);
  EXPECT_EQ(all.of(7), 0u);
  EXPECT_EQ(even.count(), 2u);
  EXPECT_EQ(even.size(), 6u);
  EXPECT_EQ(even.of(7), 0u);
  EXPECT_EQ(even.of(3), 1u);
  EXPECT_EQ(none.count(), 12u);
  EXPECT_EQ(none.size(), 1u);
  EXPECT_EQ(none.of(7), 7u);
}

TEST(NodeClasses, of_an_even_axis_are_the_parities_of_the_coordinate) {
  const network::Group group({3, 4, 5, 2});
  for (const std::uint32_t axis : {1u, 3u}) {
    const NodeClasses classes(group, Replication::even(axis));
    for (Node node = 0; node < group.order(); ++node) {
      EXPECT_EQ(classes.of(node), group.coordinate(node, axis) % 2);
    }
  }
}

TEST(NodeClasses, refuse_an_odd_axis_and_one_beyond_the_last) {
  const network::Group group({4, 3});
  EXPECT_THROW(NodeClasses(group, Replication::even(1)), Error);
  EXPECT_THROW(NodeClasses(group, Replication::even_sum(0)), Error);
  EXPECT_THROW(NodeClasses(group, Replication::even(2)), Error);
}

}  // namespace
}  // namespace isotrope::schedule
