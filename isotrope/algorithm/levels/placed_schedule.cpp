// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/placed_schedule.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace isotrope::algorithm {

OverlaidSchedule on_places(const OverlaidSchedule& written, std::span<const network::Node> places,
                           const network::Network& network) {
  const schedule::Stage& before = written.schedule.stages.front();
  schedule::Stage stage{before.flow, before.replication, before.packets, {}, before.sums, {}};
  for (schedule::Packet& packet : stage.packets) {
    packet.origin = places[packet.origin];
    if (packet.to != schedule::to_all) packet.to = places[packet.to];
  }
  if (!before.result.empty()) stage.result.resize(std::size_t{written.parts} * network.order());
  for (std::size_t i = 0; i < before.result.size(); ++i)
    stage.result[i / places.size() * network.order() + places[i % places.size()]] = before.result[i];
  OverlayRounds rounds(network);
  for (std::uint64_t t = 0; t < before.rounds.size(); ++t) {
    for (const schedule::Hop& hop : before.rounds.round(t))
      rounds.add(hop.packet, places[hop.from], places[written.overlay.neighbour(hop.from, hop.port)]);
    rounds.close_round();
  }
  return rounds.finish(std::move(stage), written.schedule.ports, written.parts);
}

}  // namespace isotrope::algorithm
