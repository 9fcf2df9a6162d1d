// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes send over the ports of an overlay, round by round, without saying which packets: all that the time of the rounds
// depends on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::schedule {

struct OverlayMessages {
  /// What a node sends over a port in a round, of one share, is one message, in however many entries.
  struct Message {
    network::Node from;
    network::Port port;
    std::uint64_t packets;
    std::uint32_t share;  ///< of the data
  };

  network::Network overlay;
  std::uint32_t shares =
      1;  ///< equal parts of the data, one after the other, that may go through the rounds by themselves
  std::vector<std::vector<Message>> rounds;

  /// Entries of all rounds.
  std::uint64_t count() const {
    std::uint64_t result = 0;
    for (const auto& round : rounds) result += round.size();
    return result;
  }
};

/// Backwards: who received sends, the last round and the last share first.
inline OverlayMessages reversed(OverlayMessages messages) {
  std::ranges::reverse(messages.rounds);
  for (auto& round : messages.rounds) {
    for (auto& message : round) {
      message.from = messages.overlay.neighbour(message.from, message.port);
      message.port = messages.overlay.opposite(message.port);
      message.share = messages.shares - 1 - message.share;
    }
  }
  return messages;
}

}  // namespace isotrope::schedule
