// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/overlay_rounds.hpp"

#include <utility>

namespace isotrope::algorithm {

using network::Network;

// All offsets in use and their negatives.
std::vector<network::Node> OverlayRounds::generators() const {
  std::vector<std::uint8_t> used(network_.order(), 0);
  for (const Message& message : messages_) used[message.offset] = 1;
  std::vector<Node> result;
  for (Node offset = 1; offset < network_.order(); ++offset) {
    if (used[offset] != 0 || used[network_.group().negate(offset)] != 0) result.push_back(offset);
  }
  return result;
}

OverlaidSchedule OverlayRounds::finish(schedule::Stage stage, schedule::PortModel ports,
                                       std::uint32_t parts) const {
  std::vector<Node> offsets = generators();
  std::vector<network::Port> port_of(network_.order(), 0);
  for (std::size_t port = 0; port < offsets.size(); ++port)
    port_of[offsets[port]] = static_cast<network::Port>(port);
  stage.rounds.reserve(ends_.size(), messages_.size());
  std::size_t sent = 0;
  for (const std::size_t end : ends_) {
    for (; sent < end; ++sent) {
      const auto& [packet, from, offset] = messages_[sent];
      stage.rounds.add({packet, from, port_of[offset]});
    }
    stage.rounds.close_round();
  }
  return {Network("cayley", network_.group(), std::move(offsets)),
          one_stage(ports, schedule::RoundKind::aggregated, std::move(stage)), parts};
}

}  // namespace isotrope::algorithm
