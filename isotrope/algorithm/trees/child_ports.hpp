// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A tree as algorithms take it: by the ports from every node to its children.
#pragma once

#include <bit>
#include <functional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// The ports over which a node sends to its children, in order of sending.
using ChildPorts = std::function<std::vector<network::Port>(network::Node)>;

/// The child ports of a tree of a hypercube that has children(node, root), such as SpanningBinomialTree.
template <class Tree>
ChildPorts child_ports(Tree tree, network::Node root) {
  return [tree, root](network::Node node) {
    std::vector<network::Port> ports;
    for (network::Node child : tree.children(node, root)) {
      ports.push_back(static_cast<network::Port>(std::countr_zero(node ^ child)));
    }
    return ports;
  };
}

}  // namespace isotrope::algorithm
