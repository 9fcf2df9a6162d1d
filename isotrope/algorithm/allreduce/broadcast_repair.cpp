// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/broadcast_repair.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::algorithm {

BroadcastRepair::BroadcastRepair(const ArcGraph& graph, const ArcOrbits& orbits,
                                 std::span<const RootedBroadcast> broadcasts,
                                 std::span<const BroadcastHop> deliveries, std::uint32_t rounds,
                                 std::uint64_t seed)
    : graph_(graph),
      orbits_(orbits),
      rounds_(rounds),
      random_(seed),
      begin_(broadcasts.size() * graph.nodes(), none),
      slot_(begin_.size()),
      weight_(begin_.size(), 1),
      occupant_(std::size_t{rounds} * graph.arcs(), none),
      place_in_open_(begin_.size(), 0) {
  for (const auto& [root, begin] : broadcasts) {
    begin_[earliest_.size() + root] = begin;
    for (const std::uint32_t distance : graph.distances(root)) earliest_.push_back(begin + distance);
  }
  for (std::uint32_t d = 0; d < begin_.size(); ++d) {
    if (begin_[d] == none) open(d);
  }
  for (const auto& [broadcast, arc, round] : deliveries)
    insert(broadcast * graph.nodes() + graph[arc].to, {arc, round});
}

bool BroadcastRepair::succeeds(std::uint64_t slots) {
  while (!open_.empty()) {
    if (++slots_ > slots) return false;
    const std::uint32_t delivery = open_[random_.below(static_cast<std::uint32_t>(open_.size()))];
    const Slot slot = cheapest_slot(delivery);
    if (slot.arc == none) continue;
    eject_for(delivery, slot);
    insert(delivery, slot);
  }
  return true;
}

std::vector<BroadcastHop> BroadcastRepair::deliveries() const {
  std::vector<BroadcastHop> result;
  for (std::uint32_t d = 0; d < slot_.size(); ++d) {
    if (slot_[d].arc != none) result.push_back({d / graph_.nodes(), slot_[d].arc, slot_[d].round});
  }
  return result;
}

// The deliveries by which the node of one passes the packet on.
template <class Visit>
void BroadcastRepair::each_hop_from(std::uint32_t delivery, const Visit& visit) const {
  for (const Arc& arc : graph_.into(node(delivery))) {
    const std::uint32_t to = first(delivery) + arc.from;
    if (slot_[to].arc == arc.opposite) visit(to);
  }
}

// No arc if no neighbour has the packet. Leaves the hops from the node in hops_from_.
BroadcastRepair::Slot BroadcastRepair::cheapest_slot(std::uint32_t delivery) {
  hops_from_.clear();
  each_hop_from(delivery, [&](std::uint32_t hop) { hops_from_.push_back(hop); });
  const std::uint32_t to = node(delivery);
  Best best;
  for (std::uint32_t arc = graph_.first_into(to); arc < graph_.first_into(to + 1); ++arc)
    look_at(arc, first(delivery) + graph_[arc].from, best);
  return best.slot;
}

// `sender` is the delivery of the packet to the other end of the arc.
void BroadcastRepair::look_at(std::uint32_t arc, std::uint32_t sender, Best& best) {
  const std::uint32_t opposite = graph_[arc].opposite, begin = has_from(sender);
  if (begin == none || slot_[sender].arc == opposite) return;
  const std::uint32_t* taken = &occupant_[place({arc, 0})];
  const std::uint32_t* mirror = &occupant_[place({opposite, 0})];
  const std::uint32_t first_round = slot_[sender].arc == none ? begin : earliest_[sender];
  slots_ += rounds_ - std::min(first_round, rounds_);
  for (std::uint32_t round = first_round; round < rounds_; ++round) {
    const std::uint32_t one = taken[round], other = mirror[rounds_ - 1 - round];
    if (one == sender || other == sender) continue;
    if (2 * round + 1 == rounds_ && taken == mirror) continue;
    std::uint64_t cost = round < begin ? std::uint64_t{early} * weight_[sender] : 0;
    if (one != none) cost += weight_[one];
    if (other != none && other != one) cost += weight_[other];
    if (cost > best.cost_and_round.first) continue;
    for (const std::uint32_t hop : hops_from_) cost += slot_[hop].round <= round ? weight_[hop] : 0;
    const std::pair cost_and_round(cost, round);
    if (cost_and_round > best.cost_and_round) continue;
    if (cost_and_round < best.cost_and_round)
      best = {.slot = {}, .cost_and_round = cost_and_round, .ties = 0};
    if (random_.below(++best.ties) == 0) best.slot = {arc, round};
  }
}

// The first round in which the node of a delivery can pass the packet on.
std::uint32_t BroadcastRepair::has_from(std::uint32_t delivery) const {
  if (begin_[delivery] != none) return begin_[delivery];
  std::uint32_t earliest = none;
  each_hop_from(delivery, [&](std::uint32_t hop) { earliest = std::min(earliest, slot_[hop].round); });
  return earliest;
}

// @pre the slot is cheapest_slot(delivery).
void BroadcastRepair::eject_for(std::uint32_t delivery, Slot slot) {
  for (const std::uint32_t hop : hops_from_) {
    if (slot_[hop].round <= slot.round) eject(hop);
  }
  for (const Slot taken : {slot, mirrored(slot)}) {
    if (occupant_[place(taken)] != none) eject(occupant_[place(taken)]);
  }
  const std::uint32_t sender = first(delivery) + graph_[slot.arc].from;
  if (slot_[sender].arc != none && begin_[sender] > slot.round) eject(sender);
}

void BroadcastRepair::open(std::uint32_t delivery) {
  place_in_open_[delivery] = open_.size();
  open_.push_back(delivery);
}

void BroadcastRepair::eject(std::uint32_t delivery) {
  const Slot slot = slot_[delivery];
  occupant_[place(slot)] = occupant_[place(mirrored(slot))] = none;
  slot_[delivery] = {};
  begin_[delivery] = none;
  ++weight_[delivery];
  open(delivery);
}

void BroadcastRepair::insert(std::uint32_t delivery, Slot slot) {
  occupant_[place(slot)] = occupant_[place(mirrored(slot))] = delivery;
  slot_[delivery] = slot;
  begin_[delivery] = slot.round + 1;
  const std::size_t place = place_in_open_[delivery];
  open_[place] = open_.back();
  place_in_open_[open_[place]] = place;
  open_.pop_back();
}

}  // namespace isotrope::algorithm
