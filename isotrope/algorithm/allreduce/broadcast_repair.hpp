// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The hops that a run of mirrored broadcasts (mirrored_broadcasts.hpp) left out, inserted by ejections.
//
//     delivery   brings a packet to a node other than its root, over an arc, in a round, and images of the packet to images of
//                the node. It occupies the arc in this round, and the opposite arc in the mirrored round
//     insert     any open delivery takes the arc and the round that eject the least weight, the earliest round of several.
//                Ejected are the deliveries that occupy them, those by which the node passes the packet on too early, and that
//                to the sender if it comes too late, which counts eight times
//     eject      the delivery is open again, and its weight grows by one. Its node still passes the packet on in the same
//                rounds; so the delivery best comes before them, and other nodes may take the packet from there after them
//
// Broadcasts begin when they did. Arrivals grow along each broadcast, so if nothing is open, every packet comes from its root.
//
// Claim: none. Allreduces took 1 to 3 % fewer rounds than without on most networks with open axes that were tried.
// Cost: O(degree * rounds) per insertion. Deterministic. Source: ejection chains, F. Glover, 1996.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/algorithm/allreduce/arc_orbits.hpp"
#include "isotrope/algorithm/allreduce/link_shares.hpp"

namespace isotrope::algorithm {

/// The first packet of an orbit, broadcast from `root`, which has it from round `begin` on.
struct RootedBroadcast {
  std::uint32_t root = 0;
  std::uint32_t begin = 0;
};

/// A hop of the first packet of an orbit, which stands for those of its images.
struct BroadcastHop {
  std::uint32_t broadcast = 0;
  std::uint32_t arc = 0;
  std::uint32_t round = 0;

  bool operator==(const BroadcastHop&) const = default;
};

class BroadcastRepair {
 public:
  /// Begins with these deliveries: each from a node that has the packet, no two on an arc in a round, mirrored ones counted.
  /// Refers to graph and orbits.
  BroadcastRepair(const ArcGraph& graph, const ArcOrbits& orbits, std::span<const RootedBroadcast> broadcasts,
                  std::span<const BroadcastHop> deliveries, std::uint32_t rounds, std::uint64_t seed);

  /// Whether all is delivered, before more than that many slots were looked at.
  bool succeeds(std::uint64_t slots);
  /// The slots looked at.
  std::uint64_t slots() const { return slots_; }
  /// By broadcast, then node.
  std::vector<BroadcastHop> deliveries() const;

 private:
  // Deliveries are numbered by broadcast, then node.
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t early = 8;  // times its weight, a sender that must have the packet earlier
  struct Slot {
    std::uint32_t arc = none;
    std::uint32_t round = 0;
  };
  struct Best {
    Slot slot;
    std::pair<std::uint64_t, std::uint32_t> cost_and_round{UINT64_MAX, UINT32_MAX};
    std::uint32_t ties = 0;  // slots of this cost and round seen so far
  };

  std::uint32_t node(std::uint32_t delivery) const { return delivery % graph_.nodes(); }
  std::uint32_t first(std::uint32_t delivery) const { return delivery - node(delivery); }
  // In occupant_.
  std::size_t place(Slot slot) const { return std::size_t{orbits_.first(slot.arc)} * rounds_ + slot.round; }
  Slot mirrored(Slot slot) const { return {graph_[slot.arc].opposite, rounds_ - 1 - slot.round}; }

  Slot cheapest_slot(std::uint32_t delivery);
  void look_at(std::uint32_t arc, std::uint32_t sender, Best& best);
  template <class Visit>
  void each_hop_from(std::uint32_t delivery, const Visit& visit) const;
  std::uint32_t has_from(std::uint32_t delivery) const;
  void eject_for(std::uint32_t delivery, Slot slot);
  void open(std::uint32_t delivery);
  void eject(std::uint32_t delivery);
  void insert(std::uint32_t delivery, Slot slot);

  const ArcGraph& graph_;
  const ArcOrbits& orbits_;
  std::uint32_t rounds_;
  SplitMix random_;
  std::vector<std::uint32_t>
      begin_;  // by delivery: the first round in which the node has the packet, or none
  std::vector<std::uint32_t> earliest_;  // by delivery: the node cannot have the packet before
  std::vector<Slot> slot_;               // by delivery
  std::vector<std::uint32_t> weight_;    // by delivery
  std::vector<std::uint32_t> occupant_;  // by first arc, then round: a delivery, or none
  std::vector<std::uint32_t> open_;
  std::vector<std::size_t> place_in_open_;  // by delivery
  std::vector<std::uint32_t> hops_from_;    // deliveries by the node at hand, of the packet at hand
  std::uint64_t slots_ = 0;
};

}  // namespace isotrope::algorithm
