// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// All shortest routes of the packets of one origin, and a choice of one each that loads all ports nearly alike.
//
// The group is abelian, so a route is the number of hops over each port, in any order. Those to a node are found
// backwards: straight over a port that leads nearer to 0, then over ports of higher numbers only, so each is found once.
//
//     twisted-torus:4x8    to (2, 4): (2 hops of port 0, 2 of port 2), (2 of port 1, 2 of port 2), ...
//
// Balance. A packet to x and a packet to -x are twins: they take mirror images of one route, so opposite ports carry the
// same. From a random choice on, a packet and its twin take another route if the sum of the squares of the port
// loads does not grow; every 16th try may raise it by 2. If shortest routes cannot meet the target, the routes are those
// of route_balance.hpp, which may take detours.
//
// Claims: the largest load is the bound on all tori, twisted tori, cubes and hexagonal meshes tried, except where a packet
// half-way round an axis is alone. Cost: O(routes * distance) and 2^18 tries. At most 32 routes are kept for a packet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// Hops by port, ascending, each with at least one: a row of a task matrix.
using Route = std::vector<TaskMatrix::Entry>;

/// The number of hops of a route.
std::uint32_t hops_of(const Route& route);

/// The route over opposite ports, to the opposite node.
Route mirror_image(const network::Network& network, const Route& route);

/// The shortest routes from node 0 to `to`, at most `most`, at least one.
std::vector<Route> shortest_routes_to(const network::Network& network, network::Node to, std::size_t most);

class RouteSets {
 public:
  /// The routes of the packets to `destinations`, one for every block, balanced for `target` rounds over all ports.
  /// @pre the destinations are nodes other than 0, with fewer than 2^32 blocks in all.
  RouteSets(const network::Network& network, std::span<const schedule::RelativeDestination> destinations,
            std::uint64_t target, std::uint32_t seed);

  /// The number of packets.
  std::size_t size() const { return to_.size(); }
  network::Node destination(std::size_t packet) const { return to_[packet]; }
  /// The packet with the mirrored routes; the packet itself if it has none.
  std::size_t twin(std::size_t packet) const { return twins_[packet]; }
  /// The routes of a packet.
  const std::vector<Route>& routes(std::size_t packet) const { return routes_[packet]; }
  /// The balanced choice.
  const Route& chosen(std::size_t packet) const { return routes_[packet][choice_[packet]]; }
  /// The largest load of a port under the balanced choice.
  std::uint64_t largest_load() const;

 private:
  void find_twins();
  void find_routes();
  void balance(std::uint64_t target, std::uint32_t seed);
  void choose(std::size_t packet, std::size_t route);
  void add_load(const Route& route, std::int64_t sign);
  std::int64_t squares() const;
  void take_detours(std::span<const schedule::RelativeDestination> destinations, std::uint64_t target);

  network::Network network_;
  std::vector<network::Node> to_;
  std::vector<std::size_t> twins_;
  std::vector<std::vector<Route>> routes_;
  std::vector<std::size_t> choice_;
  std::vector<std::int64_t> loads_;  // by port
};

}  // namespace isotrope::algorithm
