// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cheapest way of a packet through the open slots of a timetable (slot_table.hpp), or over slots of other packets
// where none is open in time.
//
//     a hop        leaves in the first round in which its link is open, early enough to arrive by the last round
//     its cost     1 + 1 / (free slots of the link) + 0.003 a round of waiting
//     ejection     where no round is open, the hop takes a slot of another packet, which must find a new way. It costs
//                  more: a fee, the history of the link, and 2 for every time that the packet has been ejected.
//                  Packets of neighbours stay
//
// Method: A* over (cost, round), one label a node, led by the distance around failures. Costs are whole numbers, so that
// every machine finds the same way.
// Source: ejection chains, F. Glover, New ejection chain and alternating path methods for traveling salesman problems,
// 1992; histories as in PathFinder (route_negotiation.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/irregular/route_negotiation.hpp"
#include "isotrope/algorithm/irregular/slot_table.hpp"

namespace isotrope::algorithm {

/// What ejections cost, in thousandths of a hop.
struct EjectionCosts {
  std::uint32_t fee;
  std::uint32_t history;  ///< what every ejection adds for its link
};

class SlotSearch {
 public:
  /// A hop, and the packet that must leave its slot, or SlotTable::none.
  struct Step {
    Slot slot;
    schedule::PacketId ejected;
  };

  /// Refers to all but the costs, which must outlive the search.
  SlotSearch(const SurvivingDistances& distances, std::span<const schedule::Packet> packets,
             const SlotTable& table, EjectionCosts costs);

  /// The way of a packet that has no slots; empty if there is none. Valid until the next search.
  std::span<const Step> way_of(schedule::PacketId packet);
  /// Raises the cost of ejecting the packet, and of the link, from now on.
  void note_ejection(Slot slot, schedule::PacketId packet);
  /// The links that all searches have looked at.
  std::uint64_t links_seen() const { return links_seen_; }

 private:
  struct Arc {
    std::uint32_t link;
    network::Node head;
  };
  struct Label {
    std::uint32_t cost = 0;
    std::uint32_t round = 0;  // from which on the packet is there
    Step step{{0, 0}, SlotTable::none};
    network::Node before = 0;
    std::uint32_t reached = 0, closed = 0;  // the last search that did
  };

  void look_at(network::Node node, Arc arc, network::Node to);
  Step ejection(std::uint32_t link, std::uint32_t from, std::uint32_t latest) const;
  std::uint32_t ejection_cost(Step step, std::uint32_t from) const;
  void trace(network::Node origin, network::Node to);

  const SurvivingDistances& distances_;
  std::span<const schedule::Packet> packets_;
  const SlotTable& table_;
  EjectionCosts costs_;
  std::vector<Arc> arcs_;
  std::vector<std::size_t> ends_;         // by node: one past its arcs
  std::vector<std::uint32_t> histories_;  // by link
  std::vector<std::uint32_t> prices_;     // by packet: what its ejection adds
  std::vector<Label> labels_;             // by node
  std::vector<std::uint64_t> heap_;       // expected cost, then node
  std::vector<Step> way_;
  std::uint32_t search_ = 0;
  std::uint64_t links_seen_ = 0;
};

}  // namespace isotrope::algorithm
