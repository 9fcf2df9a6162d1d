// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of messages over an overlay on the machine's own network: shortest paths, by the ports of the machine in ascending order.
//
//     tori         Where two ways round are as short, even senders take one and odd ones the other (network/parity.hpp):
//                  ring:4, all nodes to x + 2    even nodes forwards, odd nodes backwards, one packet per link and direction
//     elsewhere    The ways to all nodes load the ports evenly (network/walk_back.hpp), one of even senders and one of odd ones
//                  for every offset.
//     open axes, missing links    network/routes_left.hpp: from every sender its own
//
// Cost: tori O(distance) per port of the overlay, or per node if the overlay is of another group; elsewhere O(distance * degree) per
// node. If links are missing, a search for each receiver, which further overlays use again, and O(distance * degree) a way.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"
#include "isotrope/network/routes_left.hpp"

namespace isotrope::cost {

class OverlayRoutes {
 public:
  using Node = network::Node;
  using Port = network::Port;

  /// Both are networks of the same nodes, of any two groups, and must outlive this. No ports of the machine lead the same way
  /// (network/rates.hpp). What it `lacks` leaves all others joined.
  OverlayRoutes(const network::Network& machine, const network::Failures& lacks,
                const network::Network& overlay);

  /// The ports of the machine on the way from `from` over `port` of the overlay. Valid until the next call.
  std::span<const Port> way(Node from, Port port);
  /// How many they are.
  std::uint32_t hops(Node from, Port port) {
    return left_ ? left_->hops(from, overlay_.neighbour(from, port))
                 : static_cast<std::uint32_t>(known_way(from, port).size());
  }

  /// Whether translations by this node change no way: for overlays of the machine's group, if no link is missing.
  bool keeps_ways(Node node) const { return of_one_group_ && !left_ && parities_[node] == 0; }

 private:
  const std::vector<Port>& known_way(Node from, Port port) const {
    return ways_[machine_.group().subtract(overlay_.neighbour(from, port), from)][parities_[from]];
  }
  void add_by_axis(Node offset);
  void add_evenly_loaded();

  const network::Network& machine_;
  const network::Network& overlay_;
  bool of_one_group_;
  std::vector<std::uint8_t> parities_;                  // by node
  std::vector<std::array<std::vector<Port>, 2>> ways_;  // by offset in the machine's group, and by parity
  std::shared_ptr<network::RoutesLeft> left_;           // if links are missing
  std::vector<Port> last_;                              // one of its ways
};

}  // namespace isotrope::cost
