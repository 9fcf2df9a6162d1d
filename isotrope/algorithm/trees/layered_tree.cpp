// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/layered_tree.hpp"

#include <algorithm>

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

LayeredTree::LayeredTree(const Network& network, Node root)
    : layers_(network, root),
      subtrees_(network.order(), network.degree()),
      parents_(network.order()),
      loads_(network.degree(), 0),
      balance_(network, layers_, subtrees_, loads_) {
  hang_by_layers();
  find_parents();
}

void LayeredTree::next() {
  for (const Node node : nodes().subspan(1)) ++loads_[subtrees_[node]];
  balance_.even(nodes());
  find_parents();
}

Port LayeredTree::subtree_through(const Layers::LastHop& hop) const {
  return hop.from == root() ? hop.port : subtrees_[hop.from];
}

void LayeredTree::hang_by_layers() {
  for (std::size_t first = 1; first < nodes().size();) {
    std::size_t end = first;
    for (; end < nodes().size() && depth(nodes()[end]) == depth(nodes()[first]); ++end) hang(nodes()[end]);
    balance_.even(nodes().subspan(first, end - first));
    first = end;
  }
  balance_.even(nodes());
}

void LayeredTree::hang(Node node) {
  const auto hops = layers_.last_hops(node);
  const auto smallest = std::min_element(hops.begin(), hops.end(), [&](const auto& a, const auto& b) {
    return loads_[subtree_through(a)] < loads_[subtree_through(b)];
  });
  subtrees_[node] = subtree_through(*smallest);
  ++loads_[subtrees_[node]];
}

void LayeredTree::find_parents() {
  for (const Node node : nodes().subspan(1)) {
    const auto hops = layers_.last_hops(node);
    parents_[node] = *std::find_if(hops.begin(), hops.end(), [&](const Layers::LastHop& hop) {
      return subtree_through(hop) == subtrees_[node];
    });
  }
}

ChildPorts child_ports(const Network& network, const LayeredTree& tree) {
  std::vector<std::uint32_t> heights(network.order(), 0);
  for (std::size_t i = tree.nodes().size(); i-- > 1;) {  // the deepest first
    const Node node = tree.nodes()[i];
    std::uint32_t& above = heights[tree.parent(node).from];
    above = std::max(above, heights[node] + 1);
  }
  return [&network, &tree, heights](Node node) {
    const auto child = [&](Port port) { return network.neighbour(node, port); };
    std::vector<Port> ports;
    for (Port port = 0; port < network.degree(); ++port) {
      const Layers::LastHop parent = tree.parent(child(port));
      if (child(port) != tree.root() && parent.from == node && parent.port == port) ports.push_back(port);
    }
    std::stable_sort(ports.begin(), ports.end(),
                     [&](Port a, Port b) { return heights[child(a)] > heights[child(b)]; });
    return ports;
  };
}

}  // namespace isotrope::algorithm
