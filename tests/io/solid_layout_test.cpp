// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/solid_layout.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::io {
namespace {

using network::Network;
using network::Node;
using network::parse;
using network::parse_named;
using network::Port;
using testing::DoubleNear;
using testing::ElementsAre;

double distance(const Place& a, const Place& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

SolidLayout layout_of_name(const char* name) {
  const network::NamedNetwork named = parse_named(name);
  return solid_layout_of(named.network, named.lacks);
}

std::size_t count(const SolidLayout& layout, Course::Kind kind) {
  return static_cast<std::size_t>(
      std::ranges::count_if(layout.courses, [&](const Course& course) { return course.kind == kind; }));
}

// Every link ends where the course of its other direction begins.
void expect_courses_to_meet(const Network& network, const SolidLayout& layout) {
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Node next = network.neighbour(node, port);
      const Course& there = layout.courses[std::size_t{node} * network.degree() + port];
      const Course& back = layout.courses[std::size_t{next} * network.degree() + network.opposite(port)];
      ASSERT_EQ(there.kind, back.kind) << network.name() << " " << node << ":" << port;
      const double sign = there.kind == Course::Kind::stub ? -1 : 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(there.bend[axis], sign * back.bend[axis], 1e-9);
    }
  }
}

// Nodes 0 and 8 of the 4-cube are the same corner of the outer and of the inner cube.
TEST(SolidLayout, nests_cubes) {
  const SolidLayout layout = layout_of_name("hypercube:4");
  EXPECT_THAT(layout.places[0], ElementsAre(-1, -1, -1));
  EXPECT_THAT(layout.places[5], ElementsAre(1, -1, 1));
  EXPECT_THAT(layout.places[8],
              ElementsAre(DoubleNear(-0.45, 1e-9), DoubleNear(-0.45, 1e-9), DoubleNear(-0.45, 1e-9)));
  EXPECT_EQ(count(layout, Course::Kind::line), 64u);
}

TEST(SolidLayout, makes_a_doughnut_of_two_closed_axes) {
  const SolidLayout layout = layout_of_name("torus:4x12");
  // Neighbours along an axis are equally far apart all the way round.
  for (Node row = 0; row < 4; ++row) {
    const double step = distance(layout.places[row * 12], layout.places[row * 12 + 1]);
    EXPECT_NEAR(distance(layout.places[row * 12 + 11], layout.places[row * 12]), step, 1e-9);
  }
  EXPECT_EQ(count(layout, Course::Kind::line), layout.courses.size());
}

TEST(SolidLayout, opens_axes) {
  const SolidLayout cylinder = layout_of_name("line:5xring:8");
  for (Node node = 0; node < 40; ++node)
    EXPECT_NEAR(cylinder.places[node][1], -static_cast<double>(node / 8), 1e-9);
  const SolidLayout rows = layout_of_name("mesh:3x4");
  EXPECT_THAT(rows.places[5], ElementsAre(1, -1, 0));
}

// The stub of node 0 against axis 0 leads up, out of the face, and its link enters node 2 from below.
TEST(SolidLayout, closes_a_box_by_stubs) {
  const Network network = parse("torus:3x3x3");
  const SolidLayout layout = solid_layout_of(network);
  EXPECT_EQ(count(layout, Course::Kind::stub), 2u * 3 * 9);
  EXPECT_THAT(layout.places[1], ElementsAre(1, 0, 0));
  EXPECT_THAT(layout.places[3], ElementsAre(0, -1, 0));
  EXPECT_THAT(layout.places[9], ElementsAre(0, 0, 1));
  const Course left = layout.courses[5];  // port 3-
  EXPECT_EQ(left.kind, Course::Kind::stub);
  EXPECT_LT(left.bend[0], 0);
}

TEST(SolidLayout, draws_links_alike_from_both_ends) {
  for (const char* name : {"torus:3x3x3", "torus:2x3x3x3", "torus:2x2x4x2", "twisted-torus:4x4x8",
                           "hexmesh:3", "ring:1", "ring:2", "ring:5", "torus:4x4@2,1", "circulant:13:1,5",
                           "complete:6", "hypercube:9", "twisted-torus:8,0/3,8"}) {
    const Network network = parse(name);
    const SolidLayout layout = solid_layout_of(network);
    ASSERT_EQ(layout.places.size(), network.order()) << name;
    ASSERT_EQ(layout.courses.size(), network.directed_links()) << name;
    expect_courses_to_meet(network, layout);
  }
}

TEST(SolidLayout, keeps_nodes_apart) {
  for (const char* name :
       {"hypercube:9", "torus:4x4x4x2", "torus:3x12", "hexmesh:5", "mesh:3x4x5", "ring:3"}) {
    const SolidLayout layout = layout_of_name(name);
    for (std::size_t a = 0; a < layout.places.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b)
        ASSERT_GT(distance(layout.places[a], layout.places[b]), 0.05) << name;
    }
  }
}

// The same places on every computer, no two of them close together, and linked nodes nearer than others on average.
TEST(SolidLayout, relaxes_listed_edges) {
  network::Failures failed;
  failed.edges = {{0, 1}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
  const Network network = parse("complete:6");
  const SolidLayout layout = solid_layout_of(network, failed), again = solid_layout_of(network, failed);
  EXPECT_EQ(layout.places, again.places);
  double linked = 0, all = 0;
  for (const auto [low, high] : failed.edges) linked += distance(layout.places[low], layout.places[high]) / 6;
  for (Node a = 0; a < 6; ++a) {
    for (Node b = 0; b < a; ++b) all += distance(layout.places[a], layout.places[b]) / 15;
  }
  EXPECT_NEAR(linked, 1, 1e-9);
  EXPECT_GT(all, 1.2);
}

TEST(SolidLayout, takes_coordinates) {
  const SolidLayout layout = solid_layout_of(parse("ring:3"), {}, {{0, 0, 0}, {1, 2, 3}, {4, 5, 6}});
  EXPECT_THAT(layout.places[1], ElementsAre(1, 2, -3));
}

}  // namespace
}  // namespace isotrope::io
