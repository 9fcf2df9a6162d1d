// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/root_order.hpp"

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hypercube.hpp"

#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

std::vector<Node> order_on_the_3_cube(const std::string& name, Node root) {
  const network::Network cube = network::hypercube(3);
  const RootedTree tree(cube, root, child_ports(SpanningBinomialTree(3), root));
  std::vector<Node> relative;
  for (std::uint32_t i : destinations(cube, tree, parse_root_order(name))) {
    relative.push_back(tree.node(i) ^ root);
  }
  return relative;
}

// Subtrees of the root: {1, 3, 5, 7}, {2, 6}, {4}; 7 lies below 3.
TEST(RootOrder, lists_the_binomial_tree_of_the_3_cube) {
  using Nodes = std::vector<Node>;
  for (const Node root : {Node{0}, Node{5}}) {
    EXPECT_EQ(order_on_the_3_cube("descending", root), (Nodes{7, 6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(order_on_the_3_cube("reverse-breadth-first", root), (Nodes{7, 6, 5, 3, 4, 2, 1}));
    EXPECT_EQ(order_on_the_3_cube("postorder", root), (Nodes{7, 3, 5, 1, 6, 2, 4}));
    EXPECT_EQ(order_on_the_3_cube("preorder", root), (Nodes{1, 3, 7, 5, 2, 6, 4}));
    EXPECT_EQ(order_on_the_3_cube("cyclic", root), (Nodes{7, 6, 4, 5, 2, 3, 1}));
    EXPECT_EQ(order_on_the_3_cube("cyclic-descending", root), (Nodes{7, 6, 4, 5, 2, 3, 1}));
    EXPECT_EQ(order_on_the_3_cube("cyclic-postorder", root), (Nodes{7, 6, 4, 3, 2, 5, 1}));
    EXPECT_EQ(order_on_the_3_cube("cyclic-preorder", root), (Nodes{1, 2, 4, 3, 6, 7, 5}));
  }
}

TEST(RootOrder, names_are_read_and_printed) {
  for (const char* name : {"descending", "reverse-breadth-first", "postorder", "preorder", "cyclic",
                           "cyclic-descending", "cyclic-postorder", "cyclic-preorder"}) {
    EXPECT_EQ(to_string(parse_root_order(name)), name);
  }
  EXPECT_EQ(parse_root_order("cyclic-reverse-breadth-first"), parse_root_order("cyclic"));
  try {
    parse_root_order("post-order");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("postorder"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isotrope::algorithm
