// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ramp bound on broadcast and reduce: in the first rounds few nodes have anything to send.
//
//     h(t)    nodes that know any packet after t rounds: at most (c + 1)^t, and those within t hops of the root
//     full    round t has at most c h(t-1) messages from those, and c (h'(t) - 1) to others within t hops, h'(t) nodes
//     half    round t pairs up nodes within t hops, with a sender among h(t-1): at most min(h(t-1), floor(h'(t) / 2))
//
// (N - 1) P packets must be received, up to K a message. The least T whose rounds have room for them is a bound. A
// reduction is a broadcast backwards.
//
//     complete:64, half duplex, P = 16    1 + 2 + 4 + 8 + 16 + 32 + 32 + ... >= 63 * 16: 36 rounds
//
// Cost: O(D + T) additions until all nodes are busy, one division after that.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

__extension__ using Wide = unsigned __int128;

// Messages of rounds 1, 2, ... at most.
class Ramp {
 public:
  explicit Ramp(const GraphView& view)
      : half_duplex_(view.half_duplex()),
        c_(view.port_limit()),
        nodes_(view.node_count()),
        counts_(view.wanted()) {}

  std::uint64_t next() {
    const std::uint64_t senders = std::min(spread_, near_);
    if (++round_ < counts_.size()) near_ += counts_[round_];
    spread_ = std::min(nodes_, spread_ * (c_ + 1));
    if (half_duplex_) return std::min(senders, near_ / 2);
    return c_ * std::min(senders, near_ - 1);
  }
  std::uint64_t most() const { return half_duplex_ ? nodes_ / 2 : c_ * (nodes_ - 1); }

 private:
  bool half_duplex_;
  std::uint64_t c_, nodes_;
  const std::vector<std::uint64_t>& counts_;  // nodes by distance from the root
  std::uint64_t round_ = 0, spread_ = 1, near_ = 1;
};

}  // namespace

std::optional<Bound> ramp_bound(const GraphView& view) {
  if (!view.is_symmetric() || view.traffic() != Traffic::one_to_all) return std::nullopt;
  const Wide needed = Wide{view.node_count() - 1} * view.parts();
  const Wide messages = needed / view.message_room() + (needed % view.message_room() == 0 ? 0 : 1);
  Ramp ramp(view);
  Wide sent = 0;
  std::uint64_t rounds = 0;
  for (std::uint64_t room = 0; sent < messages && room < ramp.most(); ++rounds) sent += room = ramp.next();
  if (sent < messages) {
    const Wide further = messages - sent;
    rounds += static_cast<std::uint64_t>(further / ramp.most() + (further % ramp.most() == 0 ? 0 : 1));
  }
  return Bound{"ramp", rounds,
               fmt::format("{} nodes must receive {} packets each, and few can send in the first rounds: the "
                           "messages of {} rounds suffice, those of {} do not",
                           view.node_count() - 1, view.parts(), rounds, rounds - 1)};
}

}  // namespace isotrope::bound
