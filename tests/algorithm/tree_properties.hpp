// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every spanning tree of a hypercube given by parent(node, root) and children(node, root) must satisfy.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/trees/node_list.hpp"

namespace isotrope::algorithm {

inline std::vector<network::Node> listed(const NodeList& nodes) {
  return {nodes.begin(), nodes.end()};
}

/// Parents of nodes 1, 2, ..., by root 0.
template <class Tree>
std::vector<network::Node> parents_of(const Tree& tree, std::uint32_t dimension) {
  std::vector<network::Node> result;
  for (network::Node node = 1; node < network::Node{1} << dimension; ++node)
    result.push_back(*tree.parent(node, 0));
  return result;
}

/// The depth of every node, by parents; expects that parents are neighbours and lead to the root.
template <class Tree>
std::vector<std::uint32_t> depths(const Tree& tree, std::uint32_t dimension, network::Node root) {
  std::vector<std::uint32_t> result;
  for (network::Node node = 0; node < network::Node{1} << dimension; ++node) {
    std::uint32_t depth = 0;
    network::Node at = node;
    for (auto parent = tree.parent(at, root); parent && depth < 1u << dimension;
         parent = tree.parent(at, root)) {
      EXPECT_EQ(std::popcount(at ^ *parent), 1);
      at = *parent;
      ++depth;
    }
    EXPECT_EQ(at, root);
    result.push_back(depth);
  }
  return result;
}

/// Expects that children are exactly the nodes that name the node as their parent.
template <class Tree>
void expect_children_match_parents(const Tree& tree, std::uint32_t dimension, network::Node root) {
  const network::Node nodes = network::Node{1} << dimension;
  std::vector<std::vector<network::Node>> by_parent(nodes);
  for (network::Node node = 0; node < nodes; ++node) {
    if (const auto parent = tree.parent(node, root)) by_parent[*parent].push_back(node);
  }
  for (network::Node node = 0; node < nodes; ++node) {
    std::vector<network::Node> children = listed(tree.children(node, root));
    std::sort(children.begin(), children.end());
    EXPECT_EQ(children, by_parent[node]) << "node " << node;
  }
}

/// Everything above for several roots.
template <class Tree>
void expect_spanning_tree(const Tree& tree, std::uint32_t dimension, std::uint32_t height) {
  const network::Node nodes = network::Node{1} << dimension;
  for (const network::Node root : {network::Node{0}, nodes / 3, nodes - 1}) {
    const std::vector<std::uint32_t> found = depths(tree, dimension, root);
    EXPECT_EQ(*std::max_element(found.begin(), found.end()), height) << "dimension " << dimension;
    expect_children_match_parents(tree, dimension, root);
  }
}

}  // namespace isotrope::algorithm
