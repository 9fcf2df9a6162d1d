// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/recognition.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::graph {
namespace {

using network::Node;

// The name of the product that a network is with node v as node 7 v + 3 modulo N; N is no multiple of 7.
std::string recognised(const std::string& name) {
  const auto [whole, lacks] = network::parse_named(name);
  const network::SurvivingNetwork links(whole, lacks);
  const auto number = [order = whole.order()](Node node) { return (7 * node + 3) % order; };
  std::vector<network::Edge> edges;
  for (const Node node : links.nodes()) {
    links.for_each_neighbour(node, [&, number](network::Port, Node other) {
      if (node < other)
        edges.push_back({std::min(number(node), number(other)), std::max(number(node), number(other))});
    });
  }
  const network::NamedNetwork given = network::from_edges(whole.order(), edges);
  const network::SurvivingNetwork graph(given.network, given.lacks);
  const auto found = recognised_product(graph, Distances(graph), 10'000'000);
  if (!found) return "none";
  // Links of the product are links of the graph, and it has no others.
  const network::SurvivingNetwork product(found->named.network, found->named.lacks);
  EXPECT_EQ(product.links(), graph.links());
  EXPECT_EQ(dilation(product, Distances(graph), found->ranks).largest, 1U);
  return found->named.network.name();
}

TEST(Recognition, finds_products_whatever_the_numbers_of_nodes) {
  EXPECT_EQ(recognised("torus:3x5"), "torus:5x3");
  EXPECT_EQ(recognised("torus:4x5x6"), "torus:6x5x4");
  EXPECT_EQ(recognised("mesh:5x4"), "line:5xline:4");
  EXPECT_EQ(recognised("line:6xring:4"), "line:6xring:4");
  EXPECT_EQ(recognised("ring:9xline:3"), "ring:9xline:3");
  EXPECT_EQ(recognised("ring:16"), "torus:16");
  EXPECT_EQ(recognised("hypercube:5"), "torus:4x4x2");
}

TEST(Recognition, of_other_graphs_is_nothing) {
  for (const char* name : {"hexmesh:3", "complete:8", "twisted-torus:4x4x8", "circulant:16:1,3"})
    EXPECT_EQ(recognised(name), "none") << name;
}

}  // namespace
}  // namespace isotrope::graph
