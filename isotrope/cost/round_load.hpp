// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load of one round, by which it is priced (round_synchronous.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace isotrope::cost {

/// The load of the links of one class (link_times.hpp).
struct ClassLoad {
  std::uint32_t link_class = 0;
  std::uint64_t packets = 0;  ///< packets, or bytes, that one of its links carries, at most

  auto operator<=>(const ClassLoad&) const = default;
};

/// The load of a round. Ascending by messages, then by packets sent, by packets on a link, and by messages received.
struct RoundLoad {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t sent = 0;      ///< packets, or bytes, that one node sends, at most
  std::uint64_t packets = 0;   ///< packets, or bytes, that one link carries, at most
  std::uint64_t received = 0;  ///< messages that one node receives, at most
  bool alike = false;          ///< all nodes send alike, over the same ports
  /// Of the classes whose links carry messages, ascending; empty if all links are alike.
  std::vector<ClassLoad> classes = {};

  auto operator<=>(const RoundLoad&) const = default;
};

}  // namespace isotrope::cost
