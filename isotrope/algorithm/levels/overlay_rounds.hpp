// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds of messages between any nodes, as hops over an overlay: a network of the same group with a port for every
// offset in use and for its negative, in ascending order.
//
//     ring:8, messages 0 -> 1 and 3 -> 6    offsets 1, 3, 5, 7: ports 0 to 3; hops from 0 over port 0, from 3 over 1
//
// Cost: O(1) per message, O(N) for the ports.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/overlay_messages.hpp"
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// A schedule and the network over whose ports its hops go.
struct OverlaidSchedule {
  network::Network overlay;
  schedule::Schedule schedule;
  std::uint32_t parts = 1;  ///< of a block
};

/// Rounds of packets.
class OverlayRounds {
 public:
  using Node = network::Node;

  /// `network` is that of the machine; it must outlive this.
  explicit OverlayRounds(const network::Network& network) : network_(network) {}

  /// Adds a message to the round under construction.
  void add(schedule::PacketId packet, Node from, Node to) {
    messages_.push_back({packet, from, network_.group().subtract(to, from)});
  }
  void close_round() { ends_.push_back(messages_.size()); }

  /// The overlay, and `stage` with all rounds, aggregated, as its schedule.
  OverlaidSchedule finish(schedule::Stage stage, schedule::PortModel ports, std::uint32_t parts) const;

 private:
  struct Message {
    schedule::PacketId packet;
    Node from;
    Node offset;  // of the receiver
  };

  const network::Network& network_;
  std::vector<Message> messages_;
  std::vector<std::size_t> ends_;  // of closed rounds
};

/// Rounds of messages of so many packets.
class OverlayTally {
 public:
  using Node = network::Node;

  /// Of so many shares of the data. `network` is that of the machine; it must outlive this.
  OverlayTally(const network::Network& network, std::uint32_t shares)
      : network_(network), shares_(shares), rounds_(1) {}

  /// Adds a message of a share to the round under construction.
  void add(std::uint32_t share, Node from, Node to, std::uint64_t packets) {
    rounds_.back().push_back({from, network_.group().subtract(to, from), packets, share});
  }
  void close_round() { rounds_.emplace_back(); }
  /// The same unless nobody sends.
  void close_round_if_any() {
    if (!rounds_.back().empty()) close_round();
  }

  /// The overlay, and the messages of closed rounds over its ports.
  schedule::OverlayMessages finish() &&;

 private:
  struct Message {
    Node from;
    Node offset;  // of the receiver
    std::uint64_t packets;
    std::uint32_t share;
  };

  const network::Network& network_;
  std::uint32_t shares_;
  std::vector<std::vector<Message>> rounds_;  // the last one is not closed
};

}  // namespace isotrope::algorithm
