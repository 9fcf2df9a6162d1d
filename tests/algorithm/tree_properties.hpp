// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every spanning tree of a hypercube given by children(node, root) must satisfy.
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

/// The parent of every node and of the root the root; expects that every other node is the child of one neighbour.
template <class Tree>
std::vector<network::Node> all_parents(const Tree& tree, std::uint32_t dimension, network::Node root) {
  const network::Node nodes = network::Node{1} << dimension;
  std::vector<network::Node> result(nodes, nodes);
  result[root] = root;
  for (network::Node node = 0; node < nodes; ++node) {
    for (const network::Node child : tree.children(node, root)) {
      EXPECT_EQ(std::popcount(node ^ child), 1);
      EXPECT_EQ(result[child], nodes) << "node " << child << " has one parent";
      result[child] = node;
    }
  }
  EXPECT_EQ(std::count(result.begin(), result.end(), nodes), 0) << "all nodes have a parent";
  return result;
}

/// Parents of nodes 1, 2, ..., by root 0.
template <class Tree>
std::vector<network::Node> parents_of(const Tree& tree, std::uint32_t dimension) {
  std::vector<network::Node> result = all_parents(tree, dimension, 0);
  result.erase(result.begin());
  return result;
}

/// The depth of every node, by parents; expects that parents lead to the root.
template <class Tree>
std::vector<std::uint32_t> depths(const Tree& tree, std::uint32_t dimension, network::Node root) {
  const std::vector<network::Node> parents = all_parents(tree, dimension, root);
  std::vector<std::uint32_t> result;
  for (network::Node node = 0; node < parents.size(); ++node) {
    std::uint32_t depth = 0;
    network::Node at = node;
    for (; at != root && at < parents.size() && depth < parents.size(); ++depth) at = parents[at];
    EXPECT_EQ(at, root);
    result.push_back(depth);
  }
  return result;
}

/// Everything above for several roots.
template <class Tree>
void expect_spanning_tree(const Tree& tree, std::uint32_t dimension, std::uint32_t height) {
  const network::Node nodes = network::Node{1} << dimension;
  for (const network::Node root : {network::Node{0}, nodes / 3, nodes - 1}) {
    const std::vector<std::uint32_t> found = depths(tree, dimension, root);
    EXPECT_EQ(*std::max_element(found.begin(), found.end()), height) << "dimension " << dimension;
  }
}

}  // namespace isotrope::algorithm
