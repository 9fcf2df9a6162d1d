// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of one round: every hop is one in a strict round; in a combining round the hops over one
// directed link are.
//
//     hops          a over 0, b over 1, c over 0, d over 0
//     strict        {a} {b} {c} {d}
//     combining     {a c d} {b}               in the order of their first hops
//
// Cost: O(1) a hop; where rounds combine, 4 bytes a directed link.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::cost {

using schedule::Node;
using schedule::PacketId;
using schedule::Port;

/// A message under way.
struct Transfer {
  std::uint64_t link = 0;  ///< directed, numbered by whoever adds hops
  Node from = 0;           ///< of its first hop, as are port and packet
  Port port = 0;
  PacketId packet = 0;
  std::uint32_t packets = 0;
  std::uint64_t bytes = 0;
  double time_s = 0;  ///< while the round is put together: when it is ready; then: when it ends
};

class RoundMessages {
 public:
  RoundMessages(schedule::RoundKind kind, std::uint64_t links)
      : combining_(kind == schedule::RoundKind::combining), of_link_(combining_ ? links : 0) {}

  void begin_round() {
    transfers_.clear();
    of_hop_.clear();
  }
  /// Adds the next hop, `hop` over directed link number `link`, and returns its message.
  Transfer& add(const schedule::Hop& hop, std::uint64_t link, std::uint64_t bytes) {
    const std::uint32_t index = place(link);
    if (index == transfers_.size()) transfers_.push_back({link, hop.from, hop.port, hop.packet});
    Transfer& transfer = transfers_[index];
    ++transfer.packets;
    transfer.bytes += bytes;
    return transfer;
  }

  /// All messages of the round.
  std::span<Transfer> all() { return transfers_; }
  /// The message of the hop added as number `hop` since begin_round().
  const Transfer& of_hop(std::size_t hop) const { return transfers_[combining_ ? of_hop_[hop] : hop]; }

 private:
  // An entry of of_link_ that an earlier round has left names no message of this link.
  std::uint32_t place(std::uint64_t link) {
    const auto next = static_cast<std::uint32_t>(transfers_.size());
    if (!combining_) return next;
    std::uint32_t& index = of_link_[link];
    if (index >= next || transfers_[index].link != link) index = next;
    of_hop_.push_back(index);
    return index;
  }

  bool combining_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> of_link_;
  std::vector<std::uint32_t> of_hop_;
};

}  // namespace isotrope::cost
