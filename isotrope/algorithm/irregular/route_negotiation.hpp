// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes around failures with a small load on the busiest link, with detours where they help.
//
// Near a failure shortest paths crowd together: on a hexagonal mesh without one node, the six links around the
// gap carry half as much again as the others. Longer routes for some packets relieve these links.
//
// Method: binary search for the least load of the busiest link, between the load reached and a bound for all
// routes. While a link carries more than the goal, the packets that cross the link are rerouted one by one along
// the cheapest way (A*, led by the distance), where a hop costs
//
//     1 + history + price * (load above the goal)
//
// and the history of a link counts the passes in which its load exceeds the goal. The search gives up a goal
// after some passes and keeps the best routes. It ends within 1/64 of the least goal that may be reached.
//
// Claim: the load of the busiest link never grows. Deterministic.
// Cost: at most 2^26 links looked at, for any task, and all hops once a pass; a breadth-first search per destination. Memory: 2 bytes per
// node and destination.
// Source: negotiated congestion, L. McMurchie, C. Ebeling, PathFinder, FPGA 1995.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/link_list.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/irregular/packet_routes.hpp"

namespace isotrope::algorithm {

/// Distances around failures to the destinations of some packets.
class SurvivingDistances {
 public:
  /// The largest distance told; no route is longer.
  static constexpr std::uint32_t far = UINT16_MAX;

  /// Refers to the network, which must outlive the distances.
  SurvivingDistances(const network::SurvivingNetwork& network, std::span<const schedule::Packet> packets);

  const network::SurvivingNetwork& survivors() const { return network_; }
  /// The network without failures.
  const network::Network& network() const { return network_.whole(); }
  /// @pre a packet has the destination `to`.
  std::uint32_t distance(network::Node from, network::Node to) const { return to_[to][from]; }

  /// As SurvivingNetwork::for_each_neighbour.
  template <class Function>
  void for_each_neighbour(network::Node node, Function&& function) const {
    network_.for_each_neighbour(node, function);
  }

 private:
  const network::SurvivingNetwork& network_;
  std::vector<std::vector<std::uint16_t>> to_;  // by destination, then node
};

/// Better routes for `packets`, one each; a busiest link with `enough` packets is good enough.
/// @pre `routes` lead the packets to their destinations over surviving links.
PacketRoutes negotiate(const SurvivingDistances& distances, const network::LinkList& links,
                       std::span<const schedule::Packet> packets, PacketRoutes routes,
                       std::uint64_t enough = 0);

}  // namespace isotrope::algorithm
