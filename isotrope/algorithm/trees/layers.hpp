// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a network by their distance from a root, and all last hops of shortest paths to them.
//
//     torus:3x3, root 0    layer 0   0          node 4 has the predecessors 1 (over port 1+) and 3 (over 2+)
//                          layer 1   3 6 1 2
//                          layer 2   4 5 7 8
//
// Method: breadth-first search. Cost: O(N degree). Memory: 16 bytes per node and 8 per predecessor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

class Layers {
 public:
  /// A last hop: `from` sends over `port`.
  struct LastHop {
    network::Node from;
    network::Port port;
  };

  Layers(const network::Network& network, network::Node root);

  /// All nodes in order of their depth, the root first.
  std::span<const network::Node> nodes() const { return nodes_; }
  /// The distance from the root.
  std::uint32_t depth(network::Node node) const { return depths_[node]; }
  /// The largest depth.
  std::uint32_t height() const { return depths_[nodes_.back()]; }
  /// The hops from all neighbours that are one hop nearer to the root, in order of ports.
  std::span<const LastHop> last_hops(network::Node node) const {
    return {hops_.data() + first_hops_[node], hops_.data() + first_hops_[node + 1]};
  }

 private:
  std::vector<network::Node> nodes_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::uint64_t> first_hops_;  // one more than nodes
  std::vector<LastHop> hops_;
};

}  // namespace isotrope::algorithm
