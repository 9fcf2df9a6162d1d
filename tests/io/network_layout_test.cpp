// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "tests/io/refusal.hpp"

namespace isotrope::io {
namespace {

using network::Network;
using network::Node;
using network::parse;
using network::Port;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* drawable[] = {"ring:1",
                                    "ring:2",
                                    "ring:9",
                                    "torus:4x4",
                                    "torus:5x6",
                                    "torus:2x3",
                                    "torus:3x1x5",
                                    "torus:3x3x3",
                                    "torus:2x5x4",
                                    "torus:2x3x3x3",
                                    "torus:2x2x4",
                                    "torus:3x3x3x3",
                                    "hypercube:1",
                                    "hypercube:2",
                                    "hypercube:3",
                                    "hypercube:4",
                                    "hypercube:5",
                                    "hypercube:6",
                                    "hexmesh:2",
                                    "hexmesh:4",
                                    "hexmesh:7",
                                    "complete:4",
                                    "complete:9",
                                    "twisted-torus:4x8",
                                    "twisted-torus:8,0/3,8",
                                    "torus:32x32",
                                    "circulant:1024:1,7",
                                    "circulant:13:1,5",
                                    "twisted-torus:3x3x6",
                                    "complete:128",
                                    "cayley:4x6:1,0/3,0/0,1/0,5/2,3",
                                    "circulant:15:3,5",
                                    "twisted-torus:2x2x4"};

const std::optional<Point>& stub(const NetworkLayout& layout, const Network& network, Node node, Port port) {
  return layout.stubs[std::size_t{node} * network.degree() + port];
}

// Calls function(node, port, neighbour) for every directed link that is a line.
template <class Function>
void for_each_line(const Network& network, const NetworkLayout& layout, Function function) {
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      if (!stub(layout, network, node, port)) function(node, port, network.neighbour(node, port));
    }
  }
}

std::uint64_t line_count(const char* name) {
  const Network network = parse(name);
  std::uint64_t directed = 0;
  for_each_line(network, layout_of(network), [&](Node, Port, Node) { ++directed; });
  return directed / 2;
}

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double distance_to_line(Point at, Point from, Point to) {
  const double along = ((at.x - from.x) * (to.x - from.x) + (at.y - from.y) * (to.y - from.y)) /
                       std::pow(distance(from, to), 2);
  const double share = std::clamp(along, 0.0, 1.0);
  return distance(at, {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
}

// The nodes as one reads them: rows from the top, each from the left.
std::vector<std::vector<Node>> rows_of(const NetworkLayout& layout) {
  std::map<long, std::map<double, Node>> rows;
  for (Node node = 0; node < layout.places.size(); ++node)
    rows[std::lround(layout.places[node].y)][layout.places[node].x] = node;
  std::vector<std::vector<Node>> result;
  for (const auto& [y, row] : rows) {
    result.emplace_back();
    for (const auto& [x, node] : row) result.back().push_back(node);
  }
  return result;
}

TEST(NetworkLayout, draws_a_small_torus_as_its_head_shows) {
  const Network torus = parse("torus:2x3");
  const NetworkLayout layout = layout_of(torus);

  EXPECT_THAT(rows_of(layout), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5)));
  // Ports: 0 along the axis of extent 2, 1 and 2 along the other one.
  for (Node node = 0; node < 6; ++node) {
    EXPECT_FALSE(stub(layout, torus, node, 0));
    EXPECT_EQ(stub(layout, torus, node, 1).has_value(), node % 3 == 2);
    EXPECT_EQ(stub(layout, torus, node, 2).has_value(), node % 3 == 0);
  }
  EXPECT_EQ(stub(layout, torus, 2, 1)->x, 1);
  EXPECT_EQ(stub(layout, torus, 0, 2)->x, -1);
  EXPECT_EQ(stub(layout, torus, 0, 2)->y, 0);
}

TEST(NetworkLayout, draws_a_hexagonal_mesh_around_node_0) {
  EXPECT_THAT(rows_of(layout_of(parse("hexmesh:3"))),
              ElementsAre(ElementsAre(3, 4, 5), ElementsAre(10, 11, 12, 13), ElementsAre(17, 18, 0, 1, 2),
                          ElementsAre(6, 7, 8, 9), ElementsAre(14, 15, 16)));
}

TEST(NetworkLayout, gives_lines_of_a_hexagon_one_length) {
  const Network mesh = parse("hexmesh:5");
  const NetworkLayout layout = layout_of(mesh);
  const double length = distance(layout.places[0], layout.places[1]);

  for_each_line(mesh, layout, [&](Node from, Port, Node to) {
    EXPECT_NEAR(distance(layout.places[from], layout.places[to]), length, 1e-6);
  });
}

// The unwrapped mesh has 9n^2 - 15n + 6 links; an a x b box has a(b-1) + b(a-1) inside, whatever the twist.
TEST(NetworkLayout, draws_as_lines_what_does_not_wrap) {
  EXPECT_EQ(line_count("hexmesh:2"), 12u);
  EXPECT_EQ(line_count("hexmesh:3"), 42u);
  EXPECT_EQ(line_count("hexmesh:7"), 342u);
  EXPECT_EQ(line_count("torus:5x6"), 49u);
  EXPECT_EQ(line_count("twisted-torus:4x8"), 52u);
  EXPECT_EQ(line_count("twisted-torus:8,0/3,8"), 112u);
  EXPECT_EQ(line_count("torus:3x3x3"), 54u);
  EXPECT_EQ(line_count("torus:2x3x3x3"), 108u);
  EXPECT_EQ(line_count("hypercube:6"), 192u);
  EXPECT_EQ(line_count("circulant:13:1,5"), 26u);
  EXPECT_EQ(line_count("complete:9"), 36u);
  EXPECT_EQ(line_count("ring:9"), 9u);
}

TEST(NetworkLayout, does_not_depend_on_names) {
  const NetworkLayout torus = layout_of(parse("torus:3x3"));
  const NetworkLayout cayley = layout_of(parse("cayley:3x3:1,0/2,0/0,1/0,2"));
  for (std::size_t node = 0; node < 9; ++node)
    EXPECT_EQ(distance(torus.places[node], cayley.places[node]), 0) << node;

  const Network mesh = parse("cayley:19:1/18/12/7/11/8");
  EXPECT_EQ(rows_of(layout_of(mesh)), rows_of(layout_of(parse("hexmesh:3"))));
}

TEST(NetworkLayout, keeps_nodes_apart) {
  for (const char* name : drawable) {
    const std::vector<Point> places = layout_of(parse(name)).places;
    double least = 1e9;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) least = std::min(least, distance(places[a], places[b]));
    }
    EXPECT_GT(least, 2.9 * node_radius) << name;
  }
}

TEST(NetworkLayout, draws_a_link_alike_from_both_ends) {
  for (const char* name : drawable) {
    const Network network = parse(name);
    const NetworkLayout layout = layout_of(network);
    ASSERT_EQ(layout.places.size(), network.order()) << name;
    ASSERT_EQ(layout.stubs.size(), network.directed_links()) << name;
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        const auto& there = stub(layout, network, node, port);
        const auto& back = stub(layout, network, network.neighbour(node, port), network.opposite(port));
        ASSERT_EQ(there.has_value(), back.has_value()) << name;
        if (there) {
          ASSERT_NEAR(std::hypot(there->x, there->y), 1, 1e-9) << name;
        }
      }
    }
  }
}

TEST(NetworkLayout, draws_no_line_over_a_third_node) {
  for (const char* name :
       {"hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6", "hexmesh:4", "torus:4x5", "torus:3x3x3",
        "torus:4x4x4", "twisted-torus:4x4x8", "torus:2x3x3x3", "circulant:13:1,5"}) {
    const Network network = parse(name);
    const NetworkLayout layout = layout_of(network);
    double least = 1e9;
    for_each_line(network, layout, [&](Node from, Port, Node to) {
      for (Node other = 0; other < network.order(); ++other) {
        if (other == from || other == to) continue;
        const double clearance =
            distance_to_line(layout.places[other], layout.places[from], layout.places[to]);
        least = std::min(least, clearance);
      }
    });
    EXPECT_GT(least, node_radius) << name;
  }
}

TEST(NetworkLayout, refuses_what_is_too_large) {
  EXPECT_THAT(refusal([] { layout_of(parse("hypercube:7")); }), HasSubstr("drawn up to 6 dimensions"));
  EXPECT_THAT(refusal([] { layout_of(parse("hypercube:26")); }), HasSubstr("drawn up to 6 dimensions"));
  EXPECT_THAT(refusal([] { layout_of(parse("torus:25x41")); }),
              HasSubstr("1025 nodes and 2050 links are too many to draw"));
  EXPECT_THAT(refusal([] { layout_of(parse("complete:129")); }), HasSubstr("at most 1024 and 8192"));
}

}  // namespace
}  // namespace isotrope::io
