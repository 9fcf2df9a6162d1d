// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of one round, by which it is priced (round_synchronous.hpp).
#pragma once

#include <compare>
#include <cstdint>

namespace isotrope::cost {

/// The load of a round. Ascending by messages, then by packets sent, by packets on a link, and by messages received.
struct RoundLoad {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t sent = 0;      ///< packets, or bytes, that one node sends, at most
  std::uint64_t packets = 0;   ///< packets, or bytes, that one link carries, at most
  std::uint64_t received = 0;  ///< messages that one node receives, at most
  bool alike = false;          ///< all nodes send alike, over the same ports

  auto operator<=>(const RoundLoad&) const = default;
};

}  // namespace isotrope::cost
