// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_axis.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

TEST(PortAxis, is_the_coordinate_that_changes) {
  const Network torus = parse("torus:3x1x4@1,1,2");
  EXPECT_EQ(axis_of(torus, 0), 0U);
  EXPECT_EQ(axis_of(torus, 1), 0U);
  for (Port port = 2; port < torus.degree(); ++port) EXPECT_EQ(axis_of(torus, port), 2U);
  const Network cube = parse("hypercube:3");
  for (Port port = 0; port < 3; ++port)
    EXPECT_EQ(cube.group().coordinate(cube.generators()[port], *axis_of(cube, port)), 1U);
}

TEST(PortAxis, is_none_if_several_coordinates_change) {
  const Network network("diagonal", Group({3, 4}), {5, 11});
  EXPECT_EQ(axis_of(network, 0), std::nullopt);
}

}  // namespace
}  // namespace isotrope::network
