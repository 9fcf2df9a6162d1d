// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/overlay_rounds.hpp"

#include <utility>

namespace isotrope::algorithm {

using network::Network;
using network::Node;

namespace {

// The offsets in use and their negatives, ascending, and the port of each.
class OffsetPorts {
 public:
  explicit OffsetPorts(const Network& network) : network_(network), port_of_(network.order(), 0) {}

  void use(Node offset) { port_of_[offset] = port_of_[network_.group().negate(offset)] = 1; }
  /// Numbers the ports. No more offsets are used then.
  Network overlay() {
    std::vector<Node> offsets;
    for (Node offset = 1; offset < network_.order(); ++offset) {
      if (port_of_[offset] == 0) continue;
      port_of_[offset] = static_cast<network::Port>(offsets.size());
      offsets.push_back(offset);
    }
    return Network("cayley", network_.group(), std::move(offsets));
  }
  network::Port of(Node offset) const { return port_of_[offset]; }

 private:
  const Network& network_;
  std::vector<network::Port> port_of_;  // first, whether the offset is used
};

}  // namespace

OverlaidSchedule OverlayRounds::finish(schedule::Stage stage, schedule::PortModel ports,
                                       std::uint32_t parts) const {
  OffsetPorts ports_of(network_);
  for (const Message& message : messages_) ports_of.use(message.offset);
  Network overlay = ports_of.overlay();
  stage.rounds.reserve(ends_.size(), messages_.size());
  std::size_t sent = 0;
  for (const std::size_t end : ends_) {
    for (; sent < end; ++sent) {
      const auto& [packet, from, offset] = messages_[sent];
      stage.rounds.add({packet, from, ports_of.of(offset)});
    }
    stage.rounds.close_round();
  }
  return {std::move(overlay), one_stage(ports, schedule::RoundKind::aggregated, std::move(stage)), parts};
}

schedule::OverlayMessages OverlayTally::finish() && {
  rounds_.pop_back();
  OffsetPorts ports_of(network_);
  for (const auto& round : rounds_) {
    for (const Message& message : round) ports_of.use(message.offset);
  }
  schedule::OverlayMessages result{ports_of.overlay(), shares_, {}};
  for (const auto& round : rounds_) {
    auto& messages = result.rounds.emplace_back();
    messages.reserve(round.size());
    for (const auto& [from, offset, packets, share] : round)
      messages.push_back({from, ports_of.of(offset), packets, share});
  }
  return result;
}

}  // namespace isotrope::algorithm
