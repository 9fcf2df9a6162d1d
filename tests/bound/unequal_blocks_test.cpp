// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/unequal_blocks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::bound {
namespace {

using network::Node;
using Sizes = std::vector<std::vector<std::uint64_t>>;

network::SurvivingNetwork named(const std::string& name) {
  const network::NamedNetwork network = network::parse_named(name);
  return {network.network, network.lacks};
}

Sizes nothing(std::size_t nodes) {
  return Sizes(nodes, std::vector<std::uint64_t>(nodes, 0));
}

TEST(UnequalBlocks, CountPortsOfASender) {
  Sizes sizes = nothing(16);
  sizes[3].assign(16, 100);
  const LinkBytes bound = exchange_bound(named("torus:4x4"), sizes);
  EXPECT_DOUBLE_EQ(bound.link_bytes, 1500 / 4.0);
  EXPECT_EQ(bound.reason, "node 3 sends");
}

TEST(UnequalBlocks, CountPortsOfAReceiver) {
  Sizes sizes = nothing(16);
  for (auto& row : sizes) row[7] = 8;
  const LinkBytes bound = exchange_bound(named("torus:4x4"), sizes);
  EXPECT_DOUBLE_EQ(bound.link_bytes, 15 * 8 / 4.0);
  EXPECT_EQ(bound.reason, "node 7 receives");
}

// Equal blocks: the distances of a torus of equal extents, the cut of one with a long axis.
TEST(UnequalBlocks, OfEqualSizes) {
  for (const std::string name : {"torus:4x4", "hypercube:4", "torus:3x5", "mesh:3x3"}) {
    const network::SurvivingNetwork network = named(name);
    const Node nodes = network.whole().order();
    const LinkBytes bound = exchange_bound(network, Sizes(nodes, std::vector<std::uint64_t>(nodes, 10)));
    double distances = 0;
    for (Node from = 0; from < nodes; ++from) {
      for (const std::uint32_t distance : network.distances(from)) distances += 10 * distance;
    }
    EXPECT_GE(bound.link_bytes, distances / (2 * static_cast<double>(network.links())) * (1 - 1e-12)) << name;
  }
  EXPECT_EQ(exchange_bound(named("torus:2x16"), Sizes(32, std::vector<std::uint64_t>(32, 1))).reason,
            "bytes leave 8 coordinates from 0 of axis 1");
}

TEST(UnequalBlocks, OfALineCountItsMiddle) {
  Sizes sizes = nothing(6);
  for (Node from = 0; from < 3; ++from) {
    for (Node to = 3; to < 6; ++to) sizes[from][to] = 5;
  }
  EXPECT_DOUBLE_EQ(exchange_bound(named("line:6"), sizes).link_bytes, 45);
}

TEST(UnequalBlocks, GatheredCountWhatANodeLacks) {
  const std::vector<std::uint64_t> sizes{100, 0, 40, 0, 0, 0, 0, 60};
  const LinkBytes bound = gathering_bound(named("hypercube:3"), sizes);
  EXPECT_DOUBLE_EQ(bound.link_bytes, 200 / 3.0);
  EXPECT_DOUBLE_EQ(gathering_bound(named("line:4"), std::vector<std::uint64_t>{1, 2, 3, 4}).link_bytes, 9);
}

// A node that has failed neither receives nor sends; what is left of the links carries the bytes.
TEST(UnequalBlocks, CountSurvivorsOnly) {
  const network::SurvivingNetwork network(network::parse("torus:4x4"), {{7}, {}});
  std::vector<std::uint64_t> sizes(16, 0);
  sizes[0] = 600;
  EXPECT_DOUBLE_EQ(gathering_bound(network, sizes).link_bytes, 600 / 3.0);  // of a neighbour of 7
  Sizes pairs = nothing(16);
  pairs[3][0] = 90;
  EXPECT_DOUBLE_EQ(exchange_bound(network, pairs).link_bytes, 90 / 3.0);
}

// What four nodes of a square send leaves it over 8 links; ports, distances and intervals of one coordinate know half of that.
TEST(UnequalBlocks, PayForThePricesOfLinks) {
  Sizes sizes = nothing(64);
  constexpr std::uint64_t bytes = std::uint64_t{1} << 40;
  for (const Node from : {0U, 1U, 8U, 9U}) sizes[from][from + 36] = bytes;
  const LinkBytes bound = exchange_bound(named("torus:8x8"), sizes);
  EXPECT_EQ(bound.reason, "prices of links");
  EXPECT_LE(bound.link_bytes, bytes / 2.0);
  EXPECT_GE(bound.link_bytes, 0.97 * bytes / 2.0);
}

TEST(UnequalBlocks, WithoutDataAreZero) {
  EXPECT_EQ(exchange_bound(named("torus:4x4"), nothing(16)).link_bytes, 0);
  EXPECT_EQ(gathering_bound(named("ring:1"), std::vector<std::uint64_t>{7}).link_bytes, 0);
}

// No routing of single units loads its busiest link less: random shortest ways on random networks.
RC_GTEST_PROP(UnequalBlocksProperty, NoRoutesLoadLinksLess, ()) {
  const std::string name = *rc::gen::element<std::string>("torus:3x4", "hypercube:3", "line:5", "mesh:2x4",
                                                          "ring:6", "circulant:9:1,3", "torus:4x3@2,1");
  const network::SurvivingNetwork network = named(name);
  const Node nodes = network.whole().order();
  SplitMix random(*rc::gen::inRange<std::uint64_t>(0, 100000));
  Sizes sizes = nothing(nodes);
  std::vector<std::vector<double>> load(nodes, std::vector<double>(network.whole().degree(), 0));
  for (Node from = 0; from < nodes; ++from) {
    for (Node to = 0; to < nodes; ++to) {
      sizes[from][to] = random.below(3) == 0 ? random.below(100) : 0;
      const std::vector<std::uint32_t> distances = network.distances(to);
      for (std::uint64_t unit = 0; unit < sizes[from][to]; ++unit) {
        for (Node at = from; at != to;) {
          std::vector<network::Port> closer;
          network.for_each_neighbour(at, [&](network::Port port, Node neighbour) {
            if (distances[neighbour] < distances[at]) closer.push_back(port);
          });
          const network::Port port = closer[random.below(static_cast<std::uint32_t>(closer.size()))];
          ++load[at][port];
          at = network.whole().neighbour(at, port);
        }
      }
    }
  }
  double busiest = 0;
  for (const auto& ports : load) busiest = std::max(busiest, *std::ranges::max_element(ports));
  RC_ASSERT(exchange_bound(network, sizes).link_bytes <= busiest + 1e-9);
}

}  // namespace
}  // namespace isotrope::bound
