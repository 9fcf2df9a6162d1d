// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/part.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

std::vector<Node> every(Node first, Node step, Node count) {
  std::vector<Node> nodes;
  for (Node i = 0; i < count; ++i) nodes.push_back(first + i * step);
  return nodes;
}

std::string part_name(const std::string& whole, const std::vector<Node>& nodes) {
  const auto part = part_of(parse_named(whole), nodes);
  return part ? part->named.network.name() : "none";
}

TEST(Part, RowsAndColumns) {
  EXPECT_EQ(part_name("torus:8x8", every(16, 1, 8)), "torus:8");
  EXPECT_EQ(part_name("torus:8x8", every(3, 8, 8)), "torus:8");
  EXPECT_EQ(part_name("torus:8x8", every(18, 1, 4)), "line:4");
  EXPECT_EQ(part_name("mesh:4x8", every(8, 1, 8)), "line:8");
  EXPECT_EQ(part_name("torus:4x4x4", every(16, 1, 16)), "torus:4x4");
  EXPECT_EQ(part_name("torus:4x4x4", every(5, 16, 4)), "torus:4");
  EXPECT_EQ(part_name("torus:8x8@2,1", every(3, 8, 8)), "torus:8@2");
}

TEST(Part, Cubes) {
  EXPECT_EQ(part_name("hypercube:6", every(8, 1, 8)), "hypercube:3");
  EXPECT_EQ(part_name("hypercube:4", {1, 3, 9, 11}), "hypercube:2");
  EXPECT_EQ(part_name("hypercube:4", {5}), "ring:1");
}

TEST(Part, Blocks) {
  EXPECT_EQ(part_name("torus:8x8", every(8, 1, 32)), "line:4xring:8");
  EXPECT_EQ(part_name("torus:4x4", {5, 6, 9, 10}), "hypercube:2");
  EXPECT_EQ(part_name("line:4xcomplete:5", {0, 2, 4, 5, 7, 9}), "torus:2x3");
  // Across the closing link of a ring, and in descending order.
  EXPECT_EQ(part_name("ring:8", {6, 7, 0}), "line:3");
  EXPECT_EQ(part_name("ring:8", {3, 2, 1, 0}), "line:4");
}

TEST(Part, OthersAreNone) {
  EXPECT_EQ(part_name("torus:8x8", every(0, 2, 4)), "none");  // no links between them
  EXPECT_EQ(part_name("torus:8x8", {0, 1, 2, 8}), "none");    // no box
  EXPECT_EQ(part_name("line:8", {6, 7, 0}), "none");          // no closing link
  EXPECT_EQ(part_name("hexmesh:3", {0, 1, 2}), "none");       // no product
}

// Row-major: 4 5 12 13, or from 7 on around the ring 7 0 15 8.
TEST(Part, RanksInAnotherOrderAreMapped) {
  const auto nodes_of = [](const char* whole, const std::vector<Node>& nodes) {
    const auto part = part_of(parse_named(whole), nodes);
    std::vector<Node> result;
    for (Rank rank = 0; part && rank < nodes.size(); ++rank) result.push_back(part->ranks.node_of(rank));
    return result;
  };
  EXPECT_EQ(nodes_of("torus:8x8", {4, 5, 12, 13}), (std::vector<Node>{0, 1, 2, 3}));
  EXPECT_EQ(nodes_of("torus:8x8", {4, 12, 5, 13}), (std::vector<Node>{0, 2, 1, 3}));
  EXPECT_EQ(nodes_of("torus:8x8", {0, 8, 7, 15}), (std::vector<Node>{1, 3, 0, 2}));
  EXPECT_EQ(nodes_of("ring:8", {0, 1, 3, 2}), (std::vector<Node>{0, 1, 3, 2}));
  EXPECT_EQ(part_name("ring:8", {0, 1, 3, 2}), "line:4");
  EXPECT_EQ(part_name("torus:8x8", {0, 8, 1, 9}), "hypercube:2");
}

// Every box of every product: its links are those of the network between its nodes, by number.
RC_GTEST_PROP(PartProperty, LinksAreThoseOfTheNetwork, ()) {
  const std::string name =
      *rc::gen::element<std::string>("torus:4x5", "mesh:3x4", "line:4xring:5", "hypercube:4", "torus:3x4@2,1",
                                     "complete:5xline:3", "torus:2x3x4");
  const NamedNetwork whole = parse_named(name);
  const Group& group = whole.network.group();
  SplitMix random(*rc::gen::inRange<std::uint64_t>(0, 100000));
  std::vector<std::pair<Coordinate, Coordinate>> box;  // first, extent
  for (const Coordinate modulus : group.moduli())
    box.emplace_back(random.below(modulus), 1 + random.below(modulus));
  std::vector<Node> nodes;
  for (Node node = 0; node < whole.network.order(); ++node) nodes.push_back(node);
  std::erase_if(nodes, [&](Node node) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      const Coordinate here = group.coordinate(node, i);
      if (here < box[i].first || here >= box[i].first + box[i].second) return true;
    }
    return false;
  });
  const bool is_shuffled = random.below(2) == 0;
  for (std::size_t last = nodes.size(); is_shuffled && --last > 0;)
    std::swap(nodes[last], nodes[random.below(static_cast<Node>(last + 1))]);
  const auto part = part_of(whole, nodes);
  RC_ASSERT(part.has_value());
  RC_ASSERT(part->named.network.order() == nodes.size());
  const SurvivingNetwork outer(whole.network, whole.lacks), inner(part->named.network, part->named.lacks);
  const RankMap& ranks = part->ranks;
  for (Node i = 0; i < nodes.size(); ++i) {
    for (Node k = 0; k < nodes.size(); ++k) {
      std::size_t outer_links = 0, inner_links = 0;
      outer.for_each_neighbour(nodes[i], [&](Port, Node other) { outer_links += other == nodes[k] ? 1 : 0; });
      inner.for_each_neighbour(ranks.node_of(i),
                               [&](Port, Node other) { inner_links += other == ranks.node_of(k) ? 1 : 0; });
      RC_ASSERT(outer_links == inner_links);
    }
  }
}

}  // namespace
}  // namespace isotrope::network
