// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest routes between all pairs of nodes, by which a total exchange loads all links as evenly as it can.
//
//     first    Those of isotropic tasks (algorithm/route_choice.hpp) load all links of a port alike. But
//              where two ways are as short, half-way round an even ring, they cannot load both directions
//              alike. So where the group has an even modulus, every destination has two routes: even sources,
//              by the parity of the sum of the coordinates that have even moduli, take one, odd sources the
//              other. The links of a port then carry one load at even nodes and one at odd nodes; which route
//              serves the even sources is chosen, one destination after the other, so that these stay alike.
//     then     Where a link still carries more than the bandwidth bound, each pair in turn gives up its route
//              for the shortest path that adds least to the squares of all loads, a few times over.
//
//     ring:4, to the opposite node     all forwards                      3 blocks a link forwards, 1 back
//                                      0 and 2 forwards, 1 and 3 back    2 both ways, the bound
//
// Claims: the bandwidth bound (bound/bandwidth.hpp) on hypercubes, tori and hexagonal meshes, by the
// first step alone, and on twisted tori and most circulants; on others of those that were tried one or two
// blocks more (simgrid_platform_test.cpp). Cost: O(N sum of distances); of the second step a search over the
// nodes between the ends for each pair and turn.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::exports {

/// The ports of a route's hops, in order.
using Route = std::vector<network::Port>;

class EvenedRoutes {
 public:
  /// `network` must outlive this.
  explicit EvenedRoutes(const network::Network& network);

  /// From `from` to `from` + `offset`. @pre 0 < offset < N
  const Route& route(network::Node from, network::Node offset) const {
    return routes_.empty() ? by_parity_[offset][parities_[from]]
                           : routes_[std::uint64_t{from} * network_.order() + offset];
  }

 private:
  // By the parity of the source.
  using TwoRoutes = std::array<Route, 2>;

  void choose_by_parity();
  void add(const Route& one, const Route& other);
  template <class Visit>
  void for_each_load(const TwoRoutes& routes, const Visit& visit);
  std::uint64_t load(const TwoRoutes& routes);
  void unload(const TwoRoutes& routes);
  std::uint64_t busiest() const;
  void reroute_pairs(std::uint64_t bound);

  const network::Network& network_;
  std::vector<std::uint32_t> parities_;              // by node
  std::vector<std::array<std::uint64_t, 2>> loads_;  // by port, then by the parity of the link's node
  std::vector<TwoRoutes> by_parity_;                 // by offset
  std::vector<Route> routes_;                        // by source and offset; none where the others serve
};

}  // namespace isotrope::exports
