// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes copies of packets, message by message, between any nodes, over an overlay (overlay_rounds.hpp). The writer
// knows which packets every node holds, so that no node receives a packet twice: a tree per packet, which can be
// reversed.
//
//     ring:4, node 0 holds a packet    round 0    0 -> 2
//                                      round 1    0 -> 1, 2 -> 3, 2 -> 1: the last one is left out
//
// Cost: O(1) per message or message left out; memory for the messages and 2 bytes per node and packet.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

class CopyWriter {
 public:
  using Node = network::Node;

  /// `network` is that of the machine; it must outlive this.
  CopyWriter(const network::Network& network, schedule::PacketId packets);

  /// The node has the packet from the beginning.
  void own(Node node, schedule::PacketId packet) { arrivals_[at(node, packet)] = 0; }
  /// Adds a message to the round under construction, if its sender holds the packet and its receiver will not
  /// otherwise.
  void copy(Node from, Node to, schedule::PacketId packet);
  /// Ends the round under construction, if it has messages.
  void close_round();

  /// The copies of blocks in `parts`, in aggregated rounds. `listed` are the packets, or none if the collective
  /// implies them.
  OverlaidSchedule finish(std::vector<schedule::Packet> listed, schedule::PortModel ports,
                          std::uint32_t parts) const;

 private:
  static constexpr std::uint16_t never = UINT16_MAX;

  std::size_t at(Node node, schedule::PacketId packet) const { return std::size_t{packet} * nodes_ + node; }

  Node nodes_;
  std::vector<std::uint16_t>
      arrivals_;             // by packet and node: the first round in which the node may send the packet
  std::uint16_t round_ = 0;  // under construction
  bool is_empty_ = true;     // that round
  OverlayRounds rounds_;
};

}  // namespace isotrope::algorithm
