// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/slot_table.hpp"

#include <algorithm>
#include <bit>

namespace isotrope::algorithm {
namespace {

using schedule::PacketId;

// Of the 64 rounds from `first` on, those before `end`.
std::uint64_t rounds_before(std::uint32_t end, std::uint32_t first) {
  if (end <= first) return 0;
  return end - first >= 64 ? UINT64_MAX : (std::uint64_t{1} << (end - first)) - 1;
}

}  // namespace

SlotTable::SlotTable(std::uint64_t links, std::uint32_t rounds, std::uint64_t packets)
    : rounds_(rounds),
      words_((rounds + 63) / 64),
      holders_(links * rounds, none),
      next_(links * rounds, none),
      first_(packets, none),
      free_(links * words_, UINT64_MAX),
      last_(links * words_, 0),
      free_counts_(links, rounds),
      latest_free_(links, rounds - 1) {
  for (std::uint64_t link = 0; link < links; ++link)
    free_[link * words_ + words_ - 1] = rounds_before(rounds, (words_ - 1) * 64);
}

std::uint32_t SlotTable::first_open(std::uint32_t link, std::uint32_t from, std::uint32_t latest) const {
  const std::uint64_t begin = std::uint64_t{link} * words_;
  const std::uint32_t can_move_before = latest_free_[link];
  for (std::uint32_t w = from / 64; w <= latest / 64; ++w) {
    std::uint64_t open = free_[begin + w] | (last_[begin + w] & rounds_before(can_move_before, w * 64));
    open &= rounds_before(latest + 1, w * 64) & ~rounds_before(from, w * 64);
    if (open != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(open));
  }
  return none;
}

std::uint32_t SlotTable::latest_free(std::uint32_t link, std::uint32_t below) const {
  const std::uint64_t begin = std::uint64_t{link} * words_;
  for (std::uint32_t w = below / 64 + 1; w-- > 0;) {
    const std::uint64_t free = free_[begin + w] & rounds_before(below, w * 64);
    if (free != 0) return w * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(free));
  }
  return 0;
}

void SlotTable::occupy(Slot slot) {
  free_[word(slot)] &= ~bit(slot);
  --free_counts_[slot.link];
  if (slot.round == latest_free_[slot.link]) latest_free_[slot.link] = latest_free(slot.link, slot.round);
}

void SlotTable::release(Slot slot) {
  holders_[place(slot)] = none;
  free_[word(slot)] |= bit(slot);
  last_[word(slot)] &= ~bit(slot);
  ++free_counts_[slot.link];
  latest_free_[slot.link] = std::max(latest_free_[slot.link], slot.round);
}

// The last hop that has the slot goes to the latest free slot of its link.
void SlotTable::put_off(Slot slot) {
  const auto from = static_cast<std::uint32_t>(place(slot));
  const PacketId packet = holders_[from];
  const Slot later{slot.link, latest_free_[slot.link]};
  const auto to = static_cast<std::uint32_t>(place(later));
  std::uint32_t* link_to_it = &first_[packet];
  while (*link_to_it != from) link_to_it = &next_[*link_to_it];
  *link_to_it = to;
  release(slot);
  occupy(later);
  holders_[to] = packet;
  next_[to] = none;
  last_[word(later)] |= bit(later);
}

void SlotTable::put(PacketId packet, std::span<const Slot> route) {
  std::uint32_t* link_to_it = &first_[packet];
  for (const Slot slot : route) {
    const auto at = static_cast<std::uint32_t>(place(slot));
    if (holders_[at] != none) put_off(slot);
    occupy(slot);
    holders_[at] = packet;
    *link_to_it = at;
    link_to_it = &next_[at];
  }
  *link_to_it = none;
  last_[word(route.back())] |= bit(route.back());
}

void SlotTable::take_out(PacketId packet) {
  for (std::uint32_t at = first_[packet]; at != none; at = next_[at]) release(slot_at(at));
  first_[packet] = none;
}

}  // namespace isotrope::algorithm
