// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/timetable_routes.hpp"

#include <numeric>

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::algorithm {

using network::Node;
using schedule::PacketId;

TimetableRoutes::TimetableRoutes(const network::SurvivingNetwork& network, const schedule::Task& task,
                                 const schedule::Schedule& schedule)
    : network_(network),
      stage_(schedule.stages.front()),
      parts_(task.parts),
      ranks_(network.whole().order(), 0) {
  const schedule::Packets packets(network.whole(), task, stage_);
  for (std::uint64_t i = 0; i < packets.size(); ++i)
    stage_packets_.push_back(packets[static_cast<PacketId>(i)]);
  const std::uint64_t nodes = network.nodes().size();
  for (std::uint32_t rank = 0; rank < nodes; ++rank) ranks_[network.nodes()[rank]] = rank;
  ends_.assign(nodes * (nodes - 1) * parts_, 0);
  measure();
  slots_.resize(ends_.empty() ? 0 : ends_.back());
  fill();
}

PacketId TimetableRoutes::number(Node origin, Node to, std::uint32_t part) const {
  const std::uint32_t from = ranks_[origin], other = ranks_[to];
  const auto nodes = static_cast<std::uint32_t>(network_.nodes().size());
  return (from * (nodes - 1) + other - (other > from ? 1 : 0)) * parts_ + part;
}

// Calls `function(translated, id_of)` for every translation of the stage: where each node goes, and the number of the
// translate of a packet, SlotTable::none if one of its ends has failed.
template <class Function>
void TimetableRoutes::for_each_translate(Function&& function) {
  const network::Network& whole = network_.whole();
  const schedule::NodeClasses classes(whole.group(), stage_.replication);
  const bool once = stage_.replication.kind == schedule::Replication::Kind::none;
  std::vector<Node> translated(whole.order());
  for (Node shift = 0; shift < (once ? 1 : whole.order()); ++shift) {
    if (classes.of(shift) != 0) continue;
    whole.visit([&](const auto&, const auto& group) {
      for (Node node = 0; node < whole.order(); ++node) translated[node] = group.add(node, shift);
    });
    function(translated, [&](PacketId i) {
      const schedule::Packet& packet = stage_packets_[i];
      const Node origin = translated[packet.origin], to = translated[packet.to];
      const bool up = origin != to && network_.alive(origin) && network_.alive(to);
      return up ? number(origin, to, packet.part) : SlotTable::none;
    });
  }
}

// Sets the ends: a packet has as many hops as the one of the stage that stands for it.
void TimetableRoutes::measure() {
  std::vector<std::uint32_t> hops(stage_packets_.size(), 0);
  for (const schedule::Hop& hop : stage_.rounds.hops()) ++hops[hop.packet];
  for_each_translate([&](const auto&, const auto& id_of) {
    for (PacketId i = 0; i < stage_packets_.size(); ++i) {
      if (const PacketId id = id_of(i); id != SlotTable::none) ends_[id] = hops[i];
    }
  });
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
}

void TimetableRoutes::fill() {
  const network::Port degree = network_.whole().degree();
  constexpr std::uint64_t nowhere = UINT64_MAX;
  std::vector<std::uint64_t> next(
      stage_packets_.size());  // by packet of the stage: the place of its next hop
  for_each_translate([&](const std::vector<Node>& translated, const auto& id_of) {
    for (PacketId i = 0; i < stage_packets_.size(); ++i) {
      const PacketId id = id_of(i);
      next[i] = id == SlotTable::none ? nowhere : id == 0 ? 0 : ends_[id - 1];
    }
    for (std::uint32_t round = 0; round < stage_.rounds.size(); ++round) {
      for (const auto [packet, from, port] : stage_.rounds.round(round)) {
        if (next[packet] != nowhere) slots_[next[packet]++] = {translated[from] * degree + port, round};
      }
    }
  });
}

}  // namespace isotrope::algorithm
