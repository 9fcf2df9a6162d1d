// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/layers.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

Layers::Layers(const Network& network, Node root) {
  constexpr std::uint32_t unseen = UINT32_MAX;
  depths_.assign(network.order(), unseen);
  depths_[root] = 0;
  nodes_.reserve(network.order());
  nodes_.push_back(root);
  network.visit([&](const auto& step, const auto&) {
    for (std::size_t i = 0; nodes_.size() < network.order(); ++i) {
      for (Port port = 0; port < network.degree(); ++port) {
        const Node to = step(nodes_[i], port);
        if (depths_[to] != unseen) continue;
        depths_[to] = depths_[nodes_[i]] + 1;
        nodes_.push_back(to);
      }
    }
    first_hops_.reserve(std::size_t{network.order()} + 1);
    for (Node node = 0; node < network.order(); ++node) {
      first_hops_.push_back(hops_.size());
      for (Port port = 0; port < network.degree(); ++port) {
        const Node from = step(node, network.opposite(port));
        if (depths_[from] + 1 == depths_[node]) hops_.push_back({from, port});
      }
    }
  });
  first_hops_.push_back(hops_.size());
}

}  // namespace isotrope::algorithm
