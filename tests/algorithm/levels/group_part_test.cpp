// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of groups, with and without parity: every division makes components of all nodes, and partners join them.
#include "isotrope/algorithm/levels/group_part.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;

// All nodes in the part of `node`, by the symmetry of the part.
std::set<Node> part_of(const Network& network, const GroupPart& part, Node node) {
  const bool is_turned = part.parity && network.group().coordinate(node, *part.parity) % 2 != 0;
  std::set<Node> result;
  for (const Node offset : part.offsets)
    result.insert(network.group().add(node, is_turned ? network.group().negate(offset) : offset));
  return result;
}

Node partner_of(const Network& network, const PartDivision& division, std::size_t i, Node node) {
  const Node offset = division.partners[i];
  const bool is_turned =
      division.part.parity && network.group().coordinate(node, *division.part.parity) % 2 != 0;
  return network.group().add(node, is_turned ? network.group().negate(offset) : offset);
}

void expect_division(const Network& network, const GroupPart& whole, const PartDivision& division) {
  EXPECT_EQ(division.part.offsets.size() * (division.partners.size() + 1), whole.offsets.size());
  for (Node node = 0; node < network.order(); ++node) {
    const std::set<Node> own = part_of(network, division.part, node);
    ASSERT_TRUE(own.contains(node));
    for (const Node other : own) EXPECT_EQ(part_of(network, division.part, other), own);
    // The parts of a node and its partners are those of the whole.
    std::set<Node> joined = own;
    for (std::size_t i = 0; i < division.partners.size(); ++i) {
      for (const Node other : part_of(network, division.part, partner_of(network, division, i, node)))
        EXPECT_TRUE(joined.insert(other).second) << other;
    }
    EXPECT_EQ(joined, part_of(network, whole, node));
  }
}

TEST(GroupPart, divides_all_nodes_into_components_that_partners_join) {
  for (const char* name : {"circulant:8:1,3", "circulant:9:1,2", "circulant:36:1,6", "twisted-torus:2x2x4",
                           "twisted-torus:3x3x6", "torus:4x6", "complete:12"}) {
    SCOPED_TRACE(name);
    const Network network = network::parse(name);
    std::vector<std::optional<std::size_t>> parities{std::nullopt};
    for (std::size_t i = 0; i < network.group().rank(); ++i) {
      if (network.group().moduli()[i] % 2 == 0) parities.emplace_back(i);
    }
    for (const auto& parity : parities) {
      const GroupPart whole = whole_group(network, parity);
      const auto divisions = divisions_of(network, whole);
      EXPECT_FALSE(divisions.empty());
      for (const PartDivision& division : divisions) {
        expect_division(network, whole, division);
        for (const PartDivision& next : divisions_of(network, division.part))
          expect_division(network, division.part, next);
      }
    }
  }
}

TEST(GroupPart, has_no_division_of_a_group_whose_order_has_only_greater_factors) {
  for (const char* name : {"hexmesh:3", "circulant:35:1,6"}) {
    const Network network = network::parse(name);
    EXPECT_TRUE(divisions_of(network, whole_group(network, std::nullopt)).empty()) << name;
  }
}

// Z_8 without parity, and with it.
TEST(GroupPart, divides_a_ring_of_eight) {
  const Network ring = network::parse("ring:8");
  const auto plain = divisions_of(ring, whole_group(ring, std::nullopt));
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain[0].part.offsets, (std::vector<Node>{0, 2, 4, 6}));
  EXPECT_EQ(plain[0].partners, std::vector<Node>{1});
  const auto by_parity = divisions_of(ring, whole_group(ring, 0));
  ASSERT_EQ(by_parity.size(), 3u);
  std::set<std::vector<Node>> parts;
  for (const PartDivision& division : by_parity) parts.insert(division.part.offsets);
  EXPECT_EQ(parts, (std::set<std::vector<Node>>{{0, 1, 4, 5}, {0, 3, 4, 7}, {0, 2, 4, 6}}));
}

}  // namespace
}  // namespace isotrope::algorithm
