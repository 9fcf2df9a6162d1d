// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/word_tree.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/algorithm/scan/word_tree_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

std::vector<Port> first_port_last(const Network& network) {
  std::vector<Port> order(network.degree());
  std::iota(order.rbegin(), order.rend(), Port{0});
  return order;
}

// Every node once, after its parent, one hop from it.
void expect_spanning(const Network& network, const WordTree& tree) {
  std::vector<bool> seen(network.order(), false);
  ASSERT_EQ(tree.nodes.size(), network.order());
  ASSERT_EQ(tree.nodes.front(), 0U);
  for (const Node node : tree.nodes) {
    EXPECT_FALSE(seen[node]);
    seen[node] = true;
    if (node == 0) continue;
    EXPECT_TRUE(seen[tree.parent[node]]);
    EXPECT_EQ(network.neighbour(tree.parent[node], tree.port[node]), node);
    EXPECT_EQ(tree.depth[node], tree.depth[tree.parent[node]] + 1);
  }
  EXPECT_TRUE(std::ranges::is_sorted(tree.nodes, {}, [&](Node node) { return tree.depth[node]; }));
}

class WordTrees : public testing::TestWithParam<const char*> {};

TEST_P(WordTrees, of_shortest_words_span_at_the_distances) {
  const Network network = network::parse(GetParam());
  const std::vector<Port> order = first_port_last(network);
  const WordTree tree = shortest_words(network, order);
  for (const WordTree& shortest : {tree, mirrored(network, tree), rarest_last(network, tree, order)}) {
    expect_spanning(network, shortest);
    for (Node node = 0; node < network.order(); ++node)
      EXPECT_EQ(shortest.depth[node], network.distance(0, node));
  }
}

// Of a node and its negative one has the opposite last letter of the other.
TEST_P(WordTrees, mirrored_are_alike_on_both_sides) {
  const Network network = network::parse(GetParam());
  const WordTree tree = mirrored(network, shortest_words(network, first_port_last(network)));
  for (Node node = 1; node < network.order(); ++node) {
    const Node negative = network.group().negate(node);
    if (negative == node) continue;
    EXPECT_EQ(tree.port[negative], network.opposite(tree.port[node]));
    EXPECT_EQ(tree.parent[negative], network.group().negate(tree.parent[node]));
  }
}

TEST_P(WordTrees, along_subgroups_span) {
  const Network network = network::parse(GetParam());
  expect_spanning(network, subgroup_words(network, first_port_last(network)));
}

TEST_P(WordTrees, that_promise_much_come_first_and_are_never_none) {
  const Network network = network::parse(GetParam());
  const std::vector<WordTree> trees = promising_word_trees(network, schedule::PortModel::all());
  ASSERT_GE(trees.size(), 1U);
  for (const WordTree& tree : trees) expect_spanning(network, tree);
}

INSTANTIATE_TEST_SUITE_P(All, WordTrees,
                         testing::Values("ring:1", "ring:2", "ring:7", "torus:4x6", "hypercube:4",
                                         "hexmesh:4", "circulant:13:2,3", "circulant:12:3,4",
                                         "twisted-torus:4x4x8", "twisted-torus:8,0/3,8"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

// On a diamond of +-5 and +-6, 28 = 5 + 5 + 6 + 6 + 6: a letter of 5 is taken off, until 18 = 6 + 6 + 6.
TEST(WordTree, takes_the_rarest_letters_off_first) {
  const Network network = network::parse("circulant:61:5,6");
  std::vector<Port> order(network.degree());
  std::iota(order.begin(), order.end(), Port{0});
  const WordTree tree = rarest_last(network, shortest_words(network, order), order);
  EXPECT_EQ(tree.parent[28], 23U);
  EXPECT_EQ(tree.parent[23], 18U);
  EXPECT_EQ(tree.parent[18], 12U);
}

// Letters along 8, then along 4 and 4: 4 + 2 + 2 hops, where the diameter is 6.
TEST(WordTree, along_subgroups_goes_axis_after_axis) {
  const Network network = network::parse("twisted-torus:4x4x8");
  std::vector<Port> order(network.degree());
  std::iota(order.begin(), order.end(), Port{0});
  EXPECT_EQ(subgroup_words(network, order).height(), 8U);
  EXPECT_EQ(shortest_words(network, order).height(), 6U);
}

}  // namespace
}  // namespace isotrope::algorithm
