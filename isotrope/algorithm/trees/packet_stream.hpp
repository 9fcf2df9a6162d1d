// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A stream of packets from the root of a hypercube, one per round, without any waiting on the way.
//
// The packet for the node at relative address t takes the one bits of t upwards from bit m of the stream,
// cyclically:
//
//     d = 4, t = 1011, m = 3:    0 --3--> 1000 --0--> 1001 --1--> 1011
//
// Packets leave in reverse order of add(): add the near ones first, so that the farthest start first. The packet
// sent in round k stands in slot k mod d until it arrives, at most d rounds later. Cost: O(1) per hop and slot.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/node_list.hpp"
#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {

class PacketStream {
 public:
  /// Packets number t * parts + part; `leading_bit` is m above.
  PacketStream(std::uint32_t dimension, std::uint32_t leading_bit, std::uint32_t parts)
      : dimension_(dimension), leading_bit_(leading_bit), parts_(parts) {}

  void add(schedule::PacketId packet) { packets_.push_back(packet); }

  /// Adds the hops of round `round` to `rounds`. Rounds must come one after the other from 0.
  void advance(std::uint64_t round, network::Node root, schedule::Rounds& rounds) {
    if (round < packets_.size()) launch(round);
    const std::uint32_t slots = round < dimension_ ? static_cast<std::uint32_t>(round) + 1 : dimension_;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      StreamedPacket& flight = flights_[slot];
      if (flight.ahead == 0) continue;
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(flight.ahead));
      const network::Node from = root ^ rotate_left(flight.behind, leading_bit_, dimension_);
      const std::uint32_t port =
          bit + leading_bit_ < dimension_ ? bit + leading_bit_ : bit + leading_bit_ - dimension_;
      rounds.add({flight.packet, from, port});
      flight.behind |= flight.ahead & -flight.ahead;
      flight.ahead &= flight.ahead - 1;
    }
  }

 private:
  // The one bits already taken and still to take, rotated so that the leading bit is bit 0.
  struct StreamedPacket {
    schedule::PacketId packet = 0;
    std::uint32_t behind = 0;
    std::uint32_t ahead = 0;
  };

  void launch(std::uint64_t round) {
    const schedule::PacketId packet = packets_[packets_.size() - 1 - round];
    const std::uint32_t to_bottom = leading_bit_ == 0 ? 0 : dimension_ - leading_bit_;
    flights_[round % dimension_] = {packet, 0, rotate_left(packet / parts_, to_bottom, dimension_)};
  }

  std::uint32_t dimension_;
  std::uint32_t leading_bit_;
  std::uint32_t parts_;
  std::vector<schedule::PacketId> packets_;
  std::array<StreamedPacket, NodeList::most> flights_;
};

}  // namespace isotrope::algorithm
