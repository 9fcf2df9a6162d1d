// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The holders of packets: one class per flow, with the same operations (exchange: exchanged_values.hpp). In every
// round all sends come before all receipts, so "at the start of the round" needs no time stamps.
//
//     send(packet, node)               whether node may send packet; for move and reduce it gives it up
//     refusal()                        the rule that the last refused send violates, and why
//     receive(packet, node, rounds)    node has it now; `rounds` is the time since the stage began
//     finish(visit)                    calls visit(packet, node) for what its destination lacks at the end, and
//                                      returns the delays
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {

using schedule::Packets;

/// Rounds until delivery, by packet, and their sum over all single deliveries.
struct Delays {
  explicit Delays(std::uint64_t packets) : by_packet(packets, 0) {}

  std::vector<std::uint32_t> by_packet;
  std::uint64_t sum = 0;
  std::uint64_t deliveries = 0;

  void note(PacketId packet, std::uint64_t rounds) {
    by_packet[packet] = static_cast<std::uint32_t>(rounds);
    sum += rounds;
    ++deliveries;
  }
};

/// The reason for which a hop may not send its packet.
struct Refusal {
  Rule rule;
  std::string_view reason;
};

/// The refusal of all flows of single packets.
class Holdings {
 public:
  Refusal refusal() const {
    return {Rule::holding, "the sender does not hold the packet at the start of the round"};
  }
};

/// Sets of (packet, node): one bit each, or hashed if bits would far outnumber the members to come.
class HeldSet {
 public:
  HeldSet(std::uint64_t packets, std::uint64_t nodes, std::uint64_t most_members)
      : nodes_(nodes), dense_(packets * nodes <= 64 * most_members + small_enough) {
    if (dense_) bits_.resize((packets * nodes + 63) / 64);
  }

  bool contains(PacketId packet, Node node) const {
    const std::uint64_t index = packet * nodes_ + node;
    return dense_ ? (bits_[index / 64] >> (index % 64) & 1) != 0 : hashed_.contains(index);
  }
  /// Whether it was new.
  bool insert(PacketId packet, Node node) {
    const std::uint64_t index = packet * nodes_ + node;
    if (!dense_) return hashed_.insert(index).second;
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    const bool is_new = (bits_[index / 64] & bit) == 0;
    bits_[index / 64] |= bit;
    return is_new;
  }
  void erase(PacketId packet, Node node) {
    const std::uint64_t index = packet * nodes_ + node;
    if (!dense_) {
      hashed_.erase(index);
    } else {
      bits_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
    }
  }

 private:
  static constexpr std::uint64_t small_enough = std::uint64_t{1} << 26;  // 8 MiB of bits

  std::uint64_t nodes_;
  bool dense_;
  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::uint64_t> hashed_;
};

/// Flow `move`: a packet is in one place.
class MovedPackets : public Holdings {
 public:
  explicit MovedPackets(const Packets& packets) : packets_(packets), places_(packets.size()) {
    for (PacketId p = 0; p < packets.size(); ++p) places_[p] = {packets[p].origin, 0};
  }

  bool send(PacketId packet, Node node) {
    if (places_[packet].node != node) return false;
    places_[packet].node = on_its_way;
    return true;
  }
  void receive(PacketId packet, Node node, std::uint64_t rounds) {
    places_[packet] = {node, static_cast<std::uint32_t>(rounds)};
  }
  template <class Visit>
  Delays finish(Visit visit) const {
    Delays delays(packets_.size());
    for (PacketId p = 0; p < packets_.size(); ++p) {
      const schedule::Packet packet = packets_[p];
      if (places_[p].node != packet.to) {
        visit(p, packet.to);
      } else if (packet.origin != packet.to) {
        delays.note(p, places_[p].since);
      }
    }
    return delays;
  }

 private:
  static constexpr Node on_its_way = schedule::to_all;

  struct Location {
    Node node;
    std::uint32_t since;
  };

  const Packets& packets_;
  std::vector<Location> places_;
};

/// Flow `copy`: a packet is wherever it has been.
class CopiedPackets : public Holdings {
 public:
  CopiedPackets(const Packets& packets, std::vector<Node> nodes, std::uint64_t order, std::uint64_t hops)
      : packets_(packets),
        nodes_(std::move(nodes)),
        held_(packets.size(), order, hops + packets.size()),
        delays_(packets.size()) {
    for (PacketId p = 0; p < packets.size(); ++p) {
      const schedule::Packet packet = packets[p];
      held_.insert(p, packet.origin);
      expected_ += packet.to == schedule::to_all ? nodes_.size() - 1 : (packet.to != packet.origin ? 1 : 0);
    }
  }

  bool send(PacketId packet, Node node) const { return held_.contains(packet, node); }
  void receive(PacketId packet, Node node, std::uint64_t rounds) {
    if (!held_.insert(packet, node)) return;
    const Node to = packets_[packet].to;
    if (to == schedule::to_all || to == node) delays_.note(packet, rounds);
  }
  template <class Visit>
  Delays finish(Visit visit) {
    for (PacketId p = 0; p < packets_.size() && delays_.deliveries != expected_; ++p) {
      const Node to = packets_[p].to;
      if (to != schedule::to_all) {
        if (!held_.contains(p, to)) visit(p, to);
        continue;
      }
      for (Node node : nodes_) {
        if (!held_.contains(p, node)) visit(p, node);
      }
    }
    return std::move(delays_);
  }

 private:
  const Packets& packets_;
  std::vector<Node> nodes_;     // all that take part
  std::uint64_t expected_ = 0;  // deliveries in all
  HeldSet held_;
  Delays delays_;
};

/// Flow `reduce`: every node begins with a contribution to every packet. A partial result is given up when
/// sent and merged when received, so a contribution is always in exactly one place, and the result is
/// complete when one node holds all.
class CombinedPackets : public Holdings {
 public:
  CombinedPackets(const Packets& packets, const std::vector<Node>& nodes, std::uint64_t order,
                  std::uint64_t hops)
      : packets_(packets),
        held_(packets.size(), order, hops + packets.size()),
        holders_(packets.size(), static_cast<Node>(nodes.size())),
        delays_(packets.size()) {
    for (PacketId p = 0; p < packets.size(); ++p) {
      for (Node node : nodes) held_.insert(p, node);
    }
  }

  bool send(PacketId packet, Node node) {
    if (!held_.contains(packet, node)) return false;
    held_.erase(packet, node);
    --holders_[packet];
    return true;
  }
  void receive(PacketId packet, Node node, std::uint64_t rounds) {
    if (held_.insert(packet, node)) ++holders_[packet];
    if (packets_[packet].to == node) delays_.by_packet[packet] = static_cast<std::uint32_t>(rounds);
  }
  template <class Visit>
  Delays finish(Visit visit) {
    for (PacketId p = 0; p < packets_.size(); ++p) {
      const Node to = packets_[p].to;
      if (holders_[p] == 1 && held_.contains(p, to)) {
        delays_.note(p, delays_.by_packet[p]);
      } else {
        visit(p, to);
      }
    }
    return std::move(delays_);
  }

 private:
  const Packets& packets_;
  HeldSet held_;
  std::vector<Node> holders_;  // how many nodes hold a partial result, by packet
  Delays delays_;
};

/// Flow `reduce-then-copy`: partial results move as in `reduce` until the root, the packet's origin, holds every
/// contribution at the start of a round; from that round on the packet is copied.
class ReducedThenCopiedPackets : public Holdings {
 public:
  ReducedThenCopiedPackets(const Packets& packets, std::vector<Node> nodes, std::uint64_t order,
                           std::uint64_t hops)
      : packets_(packets),
        nodes_(std::move(nodes)),
        held_(packets.size(), order, hops + packets.size()),
        partial_results_(packets.size(), static_cast<Node>(nodes_.size())),
        delays_(packets.size()) {
    for (PacketId p = 0; p < packets.size(); ++p) {
      for (Node node : nodes_) held_.insert(p, node);
    }
  }

  bool send(PacketId packet, Node node) {
    if (!held_.contains(packet, node)) return false;
    if (!is_complete(packet)) held_.erase(packet, node);
    return true;
  }
  void receive(PacketId packet, Node node, std::uint64_t rounds) {
    if (held_.insert(packet, node)) {
      if (is_complete(packet)) delays_.note(packet, rounds);
      return;
    }
    if (!is_complete(packet)) --partial_results_[packet];
  }
  template <class Visit>
  Delays finish(Visit visit) {
    for (PacketId p = 0; p < packets_.size(); ++p) {
      for (Node node : nodes_) {
        if (!is_complete(p) || !held_.contains(p, node)) visit(p, node);
      }
    }
    return std::move(delays_);
  }

 private:
  // A partial result on its way counts as well, so the packet is complete only if nothing is on its way.
  bool is_complete(PacketId packet) const {
    return partial_results_[packet] == 1 && held_.contains(packet, packets_[packet].origin);
  }

  const Packets& packets_;
  std::vector<Node> nodes_;  // all that take part
  HeldSet held_;             // the holders of partial results, then those of the whole
  std::vector<Node> partial_results_;
  Delays delays_;
};

}  // namespace isotrope::verify
