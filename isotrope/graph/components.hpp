// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Components of nodes that are joined one after the other (union by pointers that are halved). Cost: O(log N) a join, amortised.
#pragma once

#include <numeric>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::graph {

class Components {
 public:
  /// Each node is a component.
  explicit Components(network::Node order) : above_(order), count_(order) {
    std::iota(above_.begin(), above_.end(), network::Node{0});
  }

  void join(network::Node a, network::Node b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    above_[a] = b;
    --count_;
  }
  /// A node of the component, the same for all its nodes.
  network::Node root(network::Node node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  bool are_one() const { return count_ == 1; }

 private:
  std::vector<network::Node> above_;
  network::Node count_;
};

}  // namespace isotrope::graph
