// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A timetable of links that can be changed: which packet has which slot, a round of a directed link, and which slots
// are free.
//
// A link is open in a round if the slot is free, or if it carries the last hop of a packet and a later slot of the link
// is free: the packet needs to arrive by the last round only, so that hop can be put off.
//
//     slot        0 1 2 3 4 5 6 7          free: 3 and 6; last hops: 1, 4 and 7
//                 a b c . d e . f          open: 1 (b goes to 6), 3, 4 (d goes to 6), 6; not 7
//
// Cost: a search for an open slot reads a word for 64 rounds. Memory: 8 bytes and 2 bits a slot.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// A round of a directed link; links are numbered node * degree + port.
struct Slot {
  std::uint32_t link;
  std::uint32_t round;
};

class SlotTable {
 public:
  /// No packet, and no round.
  static constexpr std::uint32_t none = UINT32_MAX;

  /// A table of free slots. @pre links * rounds < 2^32.
  SlotTable(std::uint64_t links, std::uint32_t rounds, std::uint64_t packets);

  std::uint32_t rounds() const { return rounds_; }
  /// The packet that has the slot, or none.
  schedule::PacketId holder(Slot slot) const { return holders_[place(slot)]; }
  bool holds_any(schedule::PacketId packet) const { return first_[packet] != none; }
  /// The free slots of a link.
  std::uint32_t free_slots(std::uint32_t link) const { return free_counts_[link]; }
  /// The first round in from..latest in which the link is open, or none. @pre latest < rounds().
  std::uint32_t first_open(std::uint32_t link, std::uint32_t from, std::uint32_t latest) const;

  /// Gives a packet that has no slots the slots of its route, and puts off the last hops that have them.
  /// @pre the slots are open, ascend in rounds and are of different links.
  void put(schedule::PacketId packet, std::span<const Slot> route);
  /// Frees the slots of a packet.
  void take_out(schedule::PacketId packet);

 private:
  std::uint64_t place(Slot slot) const { return std::uint64_t{slot.link} * rounds_ + slot.round; }
  Slot slot_at(std::uint32_t place) const { return {place / rounds_, place % rounds_}; }
  std::uint64_t word(Slot slot) const { return std::uint64_t{slot.link} * words_ + slot.round / 64; }
  static std::uint64_t bit(Slot slot) { return std::uint64_t{1} << slot.round % 64; }

  void occupy(Slot slot);
  void release(Slot slot);
  void put_off(Slot slot);
  std::uint32_t latest_free(std::uint32_t link, std::uint32_t below) const;

  std::uint32_t rounds_, words_;
  std::vector<schedule::PacketId> holders_;               // by place: link, then round
  std::vector<std::uint32_t> next_;                       // by place: that of the packet's next hop
  std::vector<std::uint32_t> first_;                      // by packet: the place of its first hop
  std::vector<std::uint64_t> free_, last_;                // bits by link, then round
  std::vector<std::uint32_t> free_counts_, latest_free_;  // by link; the latest is 0 if no slot is free
};

}  // namespace isotrope::algorithm
