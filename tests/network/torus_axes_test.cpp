// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/torus_axes.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(TorusAxes, are_those_of_the_coordinates_that_matter) {
  const auto axes = torus_axes(parse("torus:3x1x2"));
  ASSERT_TRUE(axes);
  ASSERT_EQ(axes->size(), 2);
  EXPECT_EQ((*axes)[0].coordinate, 0);
  EXPECT_EQ((*axes)[0].extent, 3);
  EXPECT_EQ((*axes)[0].forward, 0);
  EXPECT_EQ((*axes)[0].backward, 1);
  EXPECT_EQ((*axes)[1].coordinate, 2);
  EXPECT_EQ((*axes)[1].forward, 2);
  EXPECT_EQ((*axes)[1].backward, 2);
}

TEST(TorusAxes, do_not_depend_on_the_name) {
  const auto cube = torus_axes(parse("hypercube:3"));
  ASSERT_TRUE(cube);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ((*cube)[i].forward, 2 - i);
  EXPECT_EQ(torus_axes(parse("circulant:9:1"))->front().extent, 9);
  EXPECT_EQ(torus_axes(parse("complete:3"))->front().backward, 1);
  EXPECT_EQ(torus_axes(parse("cayley:4x6:0,5/3,0/0,1/1,0"))->back().backward, 0);
  EXPECT_TRUE(torus_axes(parse("ring:1"))->empty());
}

TEST(TorusAxes, are_missing_on_other_networks) {
  for (const char* name : {"hexmesh:3", "circulant:13:1,5", "circulant:12:3,4", "complete:4",
                           "twisted-torus:4x8", "cayley:4x2:1,0/3,0/2,1"}) {
    EXPECT_FALSE(torus_axes(parse(name))) << name;
  }
}

}  // namespace
}  // namespace isotrope::network
