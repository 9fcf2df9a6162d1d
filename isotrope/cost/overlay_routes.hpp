// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of messages over an overlay on the machine's own network: shortest paths, by the ports of the machine in
// ascending order. Where two ways round are as short, senders of even parity take one and those of odd parity the other; the
// parity is that of the sum of the coordinates.
//
//     ring:4, all nodes to x + 2    even nodes forwards, odd nodes backwards: one packet per link and direction
//
// Cost: O(distance) per port of the overlay, O(N) for the parities.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::cost {

class OverlayRoutes {
 public:
  using Node = network::Node;
  using Port = network::Port;

  /// Both are networks of the same group. No ports of the machine lead the same way (network/rates.hpp).
  OverlayRoutes(const network::Network& machine, const network::Network& overlay);

  /// The ports of the machine on the way from `from` over `port` of the overlay.
  const std::vector<Port>& way(Node from, Port port) const { return ways_[port][parities_[from]]; }

 private:
  std::vector<std::uint8_t> parities_;                  // by node
  std::vector<std::array<std::vector<Port>, 2>> ways_;  // by port of the overlay and parity of the sender
};

}  // namespace isotrope::cost
