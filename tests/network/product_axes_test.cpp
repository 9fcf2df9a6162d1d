// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/product_axes.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

std::optional<std::vector<ProductAxis>> axes_of(std::string_view name) {
  const auto [network, lacks] = parse_named(name);
  return product_axes(network, lacks.open_axes);
}

// "LRC4" for a line, a ring and a complete axis of 4 nodes.
std::string shapes_of(std::string_view name) {
  const auto axes = axes_of(name);
  std::string result;
  for (const ProductAxis& axis : *axes) {
    result += axis.shape == AxisShape::line ? 'L' : axis.shape == AxisShape::ring ? 'R' : 'C';
    result += std::to_string(axis.extent);
  }
  return result;
}

TEST(ProductAxes, have_the_shapes_of_their_factors) {
  EXPECT_EQ(shapes_of("line:4xring:5"), "L4R5");
  EXPECT_EQ(shapes_of("mesh:2x3x1x4"), "C2L3L4");
  EXPECT_EQ(shapes_of("torus:3x4"), "C3R4");
  EXPECT_EQ(shapes_of("hypercube:2xcomplete:5xline:3"), "C2C2C5L3");
  EXPECT_EQ(shapes_of("circulant:9:1"), "R9");
  EXPECT_EQ(shapes_of("circulant:5:1,2"), "C5");
  EXPECT_EQ(shapes_of("cayley:4x6:0,5/3,0/0,1/1,0"), "R4R6");
  EXPECT_EQ(shapes_of("ring:1"), "");
}

TEST(ProductAxes, have_the_port_of_every_step) {
  const auto axes = axes_of("line:4xcomplete:3");
  ASSERT_TRUE(axes);
  EXPECT_THAT((*axes)[0].ports, testing::ElementsAre(ProductAxis::no_port, 0, ProductAxis::no_port, 1));
  EXPECT_THAT((*axes)[1].ports, testing::ElementsAre(ProductAxis::no_port, 2, 3));
}

TEST(ProductAxes, have_one_rate_each) {
  const auto axes = axes_of("line:4@2xcomplete:3xring:5@3");
  ASSERT_TRUE(axes);
  EXPECT_EQ(shapes_of("line:4@2xcomplete:3xring:5@3"), "L4C3R5");
  EXPECT_EQ((*axes)[0].rate, 2U);
  EXPECT_EQ((*axes)[1].rate, 1U);
  EXPECT_EQ((*axes)[2].rate, 3U);
  EXPECT_THAT((*axes)[0].ports, testing::ElementsAre(ProductAxis::no_port, 0, ProductAxis::no_port, 2));
  EXPECT_FALSE(axes_of("cayley:4:1/3/2/2"));  // complete, with a faster step
}

TEST(ProductAxes, add_up_the_distances_of_the_network) {
  for (const char* name : {"line:7", "line:4xring:5", "mesh:3x4x2", "ring:6xcomplete:4", "hypercube:3"}) {
    const auto [network, lacks] = parse_named(name);
    const SurvivingNetwork graph(network, lacks);
    const auto axes = product_axes(network, lacks.open_axes);
    ASSERT_TRUE(axes) << name;
    std::uint64_t sum = 0, sum_of_axes = 0;
    std::uint32_t diameter = 0, diameter_of_axes = 0;
    for (Node from = 0; from < network.order(); ++from) {
      const auto distances = graph.distances(from);
      for (Node to = 0; to < network.order(); ++to) {
        std::uint32_t distance = 0;
        for (const ProductAxis& axis : *axes)
          distance += axis.distance(network.group().coordinate(from, axis.coordinate),
                                    network.group().coordinate(to, axis.coordinate));
        EXPECT_EQ(distance, distances[to]) << name << ", " << from << " to " << to;
        sum += distance;
        diameter = std::max(diameter, distance);
      }
    }
    for (const ProductAxis& axis : *axes) {
      const std::uint64_t others = network.order() / axis.extent;
      sum_of_axes += axis.distance_sum() * others * others;
      diameter_of_axes += axis.diameter();
    }
    EXPECT_EQ(sum_of_axes, sum) << name;
    EXPECT_EQ(diameter_of_axes, diameter) << name;
  }
}

TEST(ProductAxes, are_missing_on_other_networks) {
  for (const char* name : {"hexmesh:3", "circulant:13:1,5", "circulant:12:3,4", "twisted-torus:4x8",
                           "cayley:4x2:1,0/3,0/2,1", "line:3xhexmesh:3", "circulant:8:1,4"}) {
    EXPECT_FALSE(axes_of(name)) << name;
  }
}

}  // namespace
}  // namespace isotrope::network
