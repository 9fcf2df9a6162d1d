// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of networks, and networks with open axes, by their names.
#include "isotrope/network/product.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"
#include "isotrope/network/tpu_slices.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Product, is_row_major_with_the_ports_of_the_factors_in_order) {
  const Network network = parse("ring:4xcomplete:3");
  EXPECT_EQ(network.name(), "ring:4xcomplete:3");
  EXPECT_EQ(network.order(), 12U);
  EXPECT_EQ(network.degree(), 4U);
  EXPECT_EQ(network.neighbour(4, 0), 7U);  // (1, 1) to (2, 1)
  EXPECT_EQ(network.neighbour(4, 1), 1U);  // to (0, 1)
  EXPECT_EQ(network.neighbour(4, 2), 5U);  // to (1, 2)
  EXPECT_EQ(network.neighbour(4, 3), 3U);  // to (1, 0)
}

TEST(Product, of_rings_is_the_torus) {
  EXPECT_TRUE(same_network(parse("ring:4xring:5"), parse("torus:4x5")));
  EXPECT_TRUE(same_network(parse("torus:4x2xring:3"), parse("torus:4x2x3")));
  EXPECT_EQ(parse("torus:4x2xring:3").distance_counts(), parse("torus:4x2x3").distance_counts());
}

// Distances and their counts are those of a search.
TEST(Product, has_the_distances_of_a_search) {
  for (const char* name :
       {"ring:4xcomplete:3", "hypercube:3xring:5", "hexmesh:2xring:3", "complete:4xcomplete:3xring:2",
        "circulant:7:1,2xtwisted-torus:2x4", "ring:1xring:6"}) {
    const Network network = parse(name);
    const std::vector<std::uint32_t> searched = SurvivingNetwork(network, {}).distances(0);
    std::vector<std::uint64_t> counts(network.diameter() + 1, 0);
    for (Node node = 0; node < network.order(); ++node) {
      EXPECT_EQ(network.distance(0, node), searched[node]) << name << " " << node;
      ++counts[searched[node]];
    }
    EXPECT_EQ(network.distance_counts(), counts) << name;
  }
}

std::vector<std::uint32_t> open_axes(std::string_view name) {
  return parse_named(name).lacks.open_axes;
}

TEST(OpenAxes, are_those_of_lines_of_three_nodes_or_more) {
  EXPECT_THAT(open_axes("line:8"), ElementsAre(0));
  EXPECT_THAT(open_axes("mesh:4x8x3"), ElementsAre(0, 1, 2));
  EXPECT_THAT(open_axes("line:8xring:16"), ElementsAre(0));
  EXPECT_THAT(open_axes("torus:4x4xline:5"), ElementsAre(2));
  EXPECT_THAT(open_axes("hypercube:3xline:5"), ElementsAre(3));
  EXPECT_THAT(open_axes("mesh:2x5"), ElementsAre(1));
  EXPECT_THAT(open_axes("line:2"), IsEmpty());
  EXPECT_THAT(open_axes("line:1"), IsEmpty());
  EXPECT_EQ(parse_named("line:8xring:16").network.name(), "line:8xring:16");
  EXPECT_TRUE(same_network(parse_named("mesh:4x8").network, parse("torus:4x8")));
  EXPECT_TRUE(same_network(parse("mesh:2x2"), parse("torus:2x2")));
}

// On a mesh the distance is the sum of the differences of coordinates.
TEST(OpenAxes, leave_the_distances_of_a_mesh) {
  const auto [network, lacks] = parse_named("mesh:3x5x2");
  const SurvivingNetwork mesh(network, lacks);
  EXPECT_EQ(mesh.links(), 2U * 5 * 2 + 3U * 4 * 2 + 3U * 5);
  for (Node from = 0; from < network.order(); ++from) {
    const auto distances = mesh.distances(from);
    for (Node to = 0; to < network.order(); ++to) {
      std::uint32_t sum = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum += static_cast<std::uint32_t>(std::abs(static_cast<int>(network.group().coordinate(from, axis)) -
                                                   static_cast<int>(network.group().coordinate(to, axis))));
      }
      EXPECT_EQ(distances[to], sum) << from << " " << to;
    }
  }
}

TEST(OpenAxes, miss_one_link_a_row) {
  const auto [network, lacks] = parse_named("line:4xring:8");
  const std::vector<Link> links = closing_links(network, lacks.open_axes);
  ASSERT_EQ(links.size(), 8U);
  for (const auto [node, port] : links) {
    EXPECT_EQ(node / 8, 3U);
    EXPECT_EQ(network.neighbour(node, port), node - 24);
  }
}

// Published: 30 meshes, 2 cylinders, 124 tori and twisted tori.
TEST(TpuSlices, are_networks_by_their_published_names) {
  std::map<std::string, int> families;
  for (const TpuSlice& slice : tpu_slices()) {
    const auto [network, lacks] = parse_named("tpu:" + slice.name);
    EXPECT_EQ(network.name(), slice.network);
    ++families[slice.network.substr(0, slice.network.find(':'))];
  }
  EXPECT_EQ(families["mesh"], 30);
  EXPECT_EQ(families["line"], 2);
  EXPECT_EQ(families["torus"] + families["twisted-torus"], 124);
  EXPECT_EQ(tpu_network("v5e-8x16"), "line:8xring:16");
  EXPECT_EQ(tpu_network("v4-4x8x8_twisted"), "twisted-torus:4x8x8");
  EXPECT_THAT([] { parse_named("tpu:v5e-4x9"); }, ThrowsMessage<Error>(HasSubstr("v5e-4x8")));
}

TEST(OpenAxes, are_refused_with_the_reason) {
  const auto closing = [](std::string_view name, std::vector<std::uint32_t> axes) {
    return [=] { closing_links(parse(name), axes); };
  };
  EXPECT_THAT(closing("torus:4x4", {2}), ThrowsMessage<Error>(HasSubstr("its axes are 0..1")));
  EXPECT_THAT(closing("torus:4x2", {1}), ThrowsMessage<Error>(HasSubstr("extent is below 3")));
  EXPECT_THAT(closing("circulant:13:1,5", {0}), ThrowsMessage<Error>(HasSubstr("more than one step")));
  EXPECT_THAT([] { parse("line:8"); }, ThrowsMessage<Error>(HasSubstr("open axes")));
  EXPECT_THAT([] { parse_named("line:0"); }, ThrowsMessage<Error>(HasSubstr("0")));
  EXPECT_THAT([] { parse_named("mesh:"); }, ThrowsMessage<Error>(HasSubstr("mesh:4x8")));
  EXPECT_THAT([] { parse_named("line:8xrong:4"); }, ThrowsMessage<Error>(HasSubstr("rong")));
  EXPECT_THAT([] { parse_named("ring:100000xring:100000"); }, ThrowsMessage<Error>(HasSubstr("2^26")));
}

}  // namespace
}  // namespace isotrope::network
