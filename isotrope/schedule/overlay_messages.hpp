// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes send over the ports of an overlay, round by round, without saying which packets: all that the time of the rounds
// depends on.
#pragma once

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

  /// Of all messages.
  std::uint64_t packets() const {
    std::uint64_t result = 0;
    for (const auto& round : rounds) {
      for (const Message& message : round) result += message.packets;
    }
    return result;
  }
};

}  // namespace isotrope::schedule
