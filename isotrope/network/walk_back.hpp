// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest routes that load the ports evenly, on any network: from the destination back to node 0, straight on over a port that
// leads nearer, while it does, then over the least loaded of the ports that do.
//
//     circulant:29:1,5,12, one route to every node    at most 13 hops over a port; 16 if each goes over the first port that
//                                                     leads nearer
//
// Claim: the routes are shortest; they need not be the most even ones. Cost: O(distance * degree) a route, and a distance per node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

class WalkBack {
 public:
  /// @param network must outlive this. No ports of it lead the same way (rates.hpp).
  explicit WalkBack(const Network& network)
      : network_(network), distances_(network.order()), last_port_(network.order()) {
    for (Node node = 0; node < network.order(); ++node) distances_[node] = network.distance(0, node);
    for (Port port = 0; port < network.degree(); ++port) last_port_[network.generators()[port]] = port;
  }

  /// Calls add(port, hops) for the hops of the route to `node`. `loads`, by port, are those of the routes so far: add() may change
  /// them. `subtract` is that of the network's group.
  template <class Subtract, class Add>
  void hops_from(Node node, std::span<const std::uint64_t> loads, const Subtract& subtract,
                 const Add& add) const {
    const auto generators = network_.generators();
    while (node != 0) {
      const Port port = lightest_port(loads, node, subtract);
      std::uint32_t hops = 0;
      for (Node next = subtract(node, generators[port]); distances_[next] < distances_[node];
           next = subtract(node, generators[port])) {
        node = next;
        ++hops;
      }
      add(port, hops);
    }
  }

 private:
  template <class Subtract>
  Port lightest_port(std::span<const std::uint64_t> loads, Node node, const Subtract& subtract) const {
    if (distances_[node] == 1) return last_port_[node];
    Port best = network_.degree();
    for (Port port = 0; port < network_.degree(); ++port) {
      if (distances_[subtract(node, network_.generators()[port])] >= distances_[node]) continue;
      if (best == network_.degree() || loads[port] < loads[best]) best = port;
    }
    return best;
  }

  const Network& network_;
  std::vector<std::uint32_t> distances_;
  std::vector<Port> last_port_;  // by neighbour of node 0: the port to it
};

}  // namespace isotrope::network
