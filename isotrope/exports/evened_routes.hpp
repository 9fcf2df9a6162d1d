// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest routes between all pairs of nodes that balance the link loads of a total exchange.
//
//     step 1    Isotropic routes (algorithm/exchange/route_choice.hpp) give all links of a port equal loads, but
//               cannot balance both directions of an even ring. So if the group has an even modulus, every
//               offset has two routes: one for even sources, one for odd sources (network/parity.hpp). The links
//               of a port then have one load at even nodes and one at odd nodes. Offset by offset, the assignment
//               with the more even loads is taken.
//     step 2    If a link load still exceeds the bandwidth bound, every pair in turn is rerouted to the shortest
//               path that adds least to the sum of the squares of all loads, for a few turns.
//
//     ring:4, to the opposite node     all forwards                      3 blocks per link forwards, 1 back
//                                      0 and 2 forwards, 1 and 3 back    2 in both directions, the bound
//
// Claims: step 1 meets the bandwidth bound (bound/bandwidth.hpp) on hypercubes, tori and hexagonal meshes; step
// 2 meets it on twisted tori and most circulants. The other networks of simgrid_platform_test.cpp exceed it by
// one or two blocks. Cost: step 1 O(N sum of distances); step 2 per pair and turn a search over the nodes
// between its ends.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::exports {

/// The ports of a route's hops, in order.
using Route = std::vector<network::Port>;
/// The routes to one offset, by the parity of the source.
using TwoRoutes = std::array<Route, 2>;

class EvenedRoutes {
 public:
  /// @param network must outlive this.
  explicit EvenedRoutes(const network::Network& network);

  /// From `from` to `from` + `offset`. @pre 0 < offset < N
  const Route& route(network::Node from, network::Node offset) const {
    return routes_.empty() ? by_parity_[offset][parities_[from]]
                           : routes_[std::uint64_t{from} * network_.order() + offset];
  }

 private:
  void reroute_pairs(std::uint64_t bound);

  const network::Network& network_;
  std::vector<std::uint8_t> parities_;  // by node
  std::vector<TwoRoutes> by_parity_;    // by offset
  std::vector<Route> routes_;           // by source and offset; empty without step 2
};

}  // namespace isotrope::exports
