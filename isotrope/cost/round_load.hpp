// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rounds of a schedule cost by in lock step: the most messages and the most packets of one node, the
// most packets on one link, and the most messages that one node receives.
//
//     round                                     strict         combining
//     0 sends a and b over port 0, c over 1     not valid      messages 2, sent 3, packets 2, received 1
//     0 sends a over port 0, 1 sends b          1, 1, 1, 1     messages 1, sent 1, packets 1, received 1
//
// Cost: O(1) a hop.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::cost {

struct RoundLoad {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t sent = 0;      ///< packets that one node sends, at most
  std::uint64_t packets = 0;   ///< that one link carries, at most
  std::uint64_t received = 0;  ///< messages that one node receives, at most

  bool operator==(const RoundLoad&) const = default;
  /// By messages, then by packets sent, by packets on a link, and by messages received.
  bool operator<(const RoundLoad& other) const {
    return std::tie(messages, sent, packets, received) <
           std::tie(other.messages, other.sent, other.packets, other.received);
  }
};

/// The load of every round that has hops, stage after stage.
/// @pre packets, nodes and ports of all hops exist.
std::vector<RoundLoad> round_loads(const network::Network& network, const schedule::Schedule& schedule);

}  // namespace isotrope::cost
