// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/layered_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/rooted_tree.hpp"

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

std::vector<std::uint64_t> subtree_sizes(const Network& network, const LayeredTree& tree) {
  std::vector<std::uint64_t> sizes(network.degree(), 0);
  for (const Node node : tree.nodes().subspan(1)) ++sizes[tree.subtree(node)];
  return sizes;
}

std::uint64_t largest_subtree(const Network& network, const LayeredTree& tree) {
  const std::vector<std::uint64_t> sizes = subtree_sizes(network, tree);
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

// Every node hangs one hop behind its parent, in the same subtree.
void expect_shortest_paths(const Network& network, const LayeredTree& tree) {
  for (const Node node : tree.nodes().subspan(1)) {
    const auto [parent, port] = tree.parent(node);
    ASSERT_EQ(network.neighbour(parent, port), node);
    ASSERT_EQ(network.distance(tree.root(), parent) + 1, network.distance(tree.root(), node));
    ASSERT_EQ(parent == tree.root() ? port : tree.subtree(parent), tree.subtree(node));
  }
}

TEST(LayeredTree, halves_a_ring) {
  const Network ring = network::parse("ring:7");
  const LayeredTree tree(ring, 2);
  EXPECT_EQ(tree.root(), 2U);
  EXPECT_EQ(tree.height(), 3U);
  for (const Node node : {3U, 4U, 5U}) {
    EXPECT_EQ(tree.subtree(node), 0U);
    EXPECT_EQ(tree.parent(node).from, node - 1);
    EXPECT_EQ(tree.depth(node), node - 2);
  }
  for (const Node node : {1U, 0U, 6U}) EXPECT_EQ(tree.subtree(node), 1U);
}

TEST(LayeredTree, gives_each_corner_of_a_torus_to_another_subtree) {
  const Network torus = network::parse("torus:3x3");
  EXPECT_THAT(subtree_sizes(torus, LayeredTree(torus, 4)), testing::Each(2));
}

TEST(LayeredTree, has_the_smallest_largest_subtree_on_every_family) {
  for (const std::string& name : abelian_networks()) {
    const Network network = network::parse(name);
    const LayeredTree tree(network, network.order() / 3);
    expect_shortest_paths(network, tree);
    if (network.order() == 1) continue;
    const std::uint64_t fair = (network.order() - 2) / network.degree() + 1;
    EXPECT_EQ(largest_subtree(network, tree), std::max<std::uint64_t>(fair, network.diameter())) << name;
  }
}

// Where too many nodes are reached over too few ports, the largest subtree is as small as they allow.
TEST(LayeredTree, has_the_smallest_largest_subtree_where_ports_are_unlike) {
  for (const char* name :
       {"circulant:15:3,5,7", "circulant:18:1,6,11,13", "cayley:8x3:3,2/5,1/0,1/0,2/3,1/5,2",
        "cayley:21x6:3,2/18,4/7,2/14,4/10,1/11,5", "cayley:5x6x8:0,0,4/4,1,1/1,5,7/1,2,5/4,4,3",
        "cayley:196:148/48/185/11/159/37", "cayley:81:20/61/15/66/5/76"}) {
    const Network network = network::parse(name);
    EXPECT_EQ(largest_subtree(network, LayeredTree(network, 0)), least_largest_subtree(network, 1)) << name;
  }
}

// 3x4 has 11 nodes for 4 subtrees: 4 trees with sizes 3, 3, 3, 2, each subtree the small one once.
TEST(LayeredTree, takes_turns_with_the_next_trees) {
  const Network torus = network::parse("torus:3x4");
  LayeredTree tree(torus, 0);
  std::vector<std::uint64_t> sums(4, 0);
  for (int i = 0; i < 4; ++i) {
    if (i > 0) tree.next();
    expect_shortest_paths(torus, tree);
    const std::vector<std::uint64_t> sizes = subtree_sizes(torus, tree);
    EXPECT_THAT(sizes, testing::UnorderedElementsAre(3, 3, 3, 2));
    for (Port port = 0; port < 4; ++port) sums[port] += sizes[port];
  }
  EXPECT_THAT(sums, testing::Each(11));
}

TEST(LayeredTree, spans_the_network_by_its_child_ports) {
  for (const char* name : {"ring:2", "ring:8", "torus:3x20", "torus:4x4x4", "hypercube:7", "hexmesh:5",
                           "twisted-torus:4x8", "circulant:60:1,5", "complete:9"}) {
    const Network network = network::parse(name);
    const Node root = network.order() - 1;
    const LayeredTree tree(network, root);
    const ChildPorts children = child_ports(network, tree);
    const RootedTree rooted(network, root, children);
    EXPECT_EQ(rooted.size(), network.order()) << name;
    const verify::Report report =
        check_on(network, "broadcast", tree_broadcast(network, root, 1, PortModel::all(), children), root);
    EXPECT_TRUE(report.optimal) << name;
  }
}

TEST(LayeredTree, lists_the_higher_children_first) {
  const Network torus = network::parse("torus:3x20");
  const LayeredTree tree(torus, 7);
  const ChildPorts children = child_ports(torus, tree);
  const RootedTree rooted(torus, 7, children);  // higher children first by itself, ties in order of the list
  for (std::uint32_t i = 0; i < rooted.size(); ++i) {
    std::uint32_t height = UINT32_MAX;
    for (const Port port : children(rooted.node(i))) {
      auto [child, end] = rooted.children(i);
      while (child < end && rooted.port(child) != port) ++child;
      ASSERT_LT(child, end);
      EXPECT_LE(rooted.height(child), height);
      height = rooted.height(child);
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
