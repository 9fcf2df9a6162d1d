// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances around failures, to the destinations of some packets.
//
// Memory: 2 bytes for every node and destination. Cost: a search of the network for every destination.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

class SurvivingDistances {
 public:
  /// Distances from here on are not told apart; no route is so long.
  static constexpr std::uint32_t far = UINT16_MAX;

  /// Refers to the network, which must outlive it.
  SurvivingDistances(const network::SurvivingNetwork& network, std::span<const schedule::Packet> packets);

  const network::SurvivingNetwork& survivors() const { return network_; }
  /// The network before anything failed.
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

}  // namespace isotrope::algorithm
