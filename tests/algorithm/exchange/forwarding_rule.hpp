// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The total exchange as a local rule: what one node of a hypercube does, knowing its own number and the
// headers (origin, destination) of the packets it holds; packets carry no time and nodes no schedule.
//
// Own packets leave port k in the order of column k (total_exchange.hpp), xor-ed with the node's number. A
// packet that arrives and has further to go joins the queue of the highest bit in which its destination
// differs from the node. A queue is ordered by origin ^ node, then by arrival. A port sends its own packets
// first, then from its queue.
//
// Claim: all nodes together do, round by round, what the schedule of total_exchange says; tested by
// simulation. Source: Bertsekas et al. 1991, Section 4, "Implementation of the Optimal Algorithm".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/exchange/total_exchange.hpp"

namespace isotrope::algorithm {

struct PacketHeader {
  network::Node origin;
  network::Node destination;

  bool operator==(const PacketHeader&) const = default;
};

/// One node. In every round call transmit once for each port, then receive for each packet that came.
class ForwardingNode {
 public:
  /// `order` is the table of the cube's dimension and must outlive the node; `self` is the node's number.
  ForwardingNode(const OwnPacketOrder& order, std::uint32_t dimension, network::Node self);

  /// The packet sent over `port` in this round; nothing when the port idles.
  std::optional<PacketHeader> transmit(network::Port port);

  /// Takes in a packet that arrived; it can be forwarded from the next round on.
  void receive(PacketHeader packet);

 private:
  using Key = std::pair<network::Node, std::uint64_t>;  // origin ^ self, arrival

  const OwnPacketOrder& order_;
  network::Node self_;
  std::uint64_t arrivals_ = 0;
  std::vector<std::size_t> own_sent_;                // by port
  std::vector<std::map<Key, PacketHeader>> queues_;  // by port
};

}  // namespace isotrope::algorithm
