// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A schedule: rounds of hops.
//
// During round t, node `from` sends `packet` over the directed link of `port`, that is to from + generators[port]. It
// must hold the packet at the start of round t; the receiver holds it from round t+1 on. Rounds count from 0.
//
// A stage lists the hops of representative packets and says how they are replicated by translation:
//
//     none         the hops listed and no others (rooted tasks, networks with failures)
//     even_axis    packets of origin 0 and of one origin with odd coordinate k; for every g with even
//                  coordinate k there is also the hop (packet, from + g, port): a subgroup of index 2. For several
//                  coordinates their sum counts instead
//     all          packets of origin 0; for every g also (packet, from + g, port)
//
// On a network with open axes a stage is not replicated, but it may be symmetric (symmetries.hpp).
//
// Under `all` a hop uses its port on every node, so "no two hops of a round share a port" is the whole check
// for link conflicts, and a schedule costs memory for one origin instead of N.
//
// Memory: 12 bytes per hop and 8 per round.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"
#include "isotrope/schedule/step_limits.hpp"

namespace isotrope::schedule {

/// The number of a packet within its stage.
using PacketId = std::uint32_t;

struct Hop {
  PacketId packet;
  Node from;
  Port port;

  bool operator==(const Hop&) const = default;
};
static_assert(sizeof(Hop) == 12);

/// Hops in rounds, stored one after the other.
class Rounds {
 public:
  void reserve(std::uint64_t rounds, std::uint64_t hops) {
    ends_.reserve(rounds);
    hops_.reserve(hops);
  }
  /// Adds a hop to the round under construction.
  void add(Hop hop) { hops_.push_back(hop); }
  /// Ends the round under construction; the next hop belongs to the following round.
  /// A caller may end work between two rounds (base/interruption.hpp).
  void close_round();

  /// The number of closed rounds.
  std::uint64_t size() const { return ends_.size(); }
  std::uint64_t hop_count() const { return hops_.size(); }
  std::span<const Hop> round(std::uint64_t t) const {
    const std::uint64_t begin = t == 0 ? 0 : ends_[t - 1];
    return {hops_.data() + begin, ends_[t] - begin};
  }
  /// By round, the number of hops up to its end.
  std::span<const std::uint64_t> ends() const { return ends_; }
  /// All hops in order of their rounds.
  std::span<const Hop> hops() const { return hops_; }

  bool operator==(const Rounds&) const = default;

 private:
  std::vector<Hop, HugePageAllocator<Hop>> hops_;
  std::vector<std::uint64_t> ends_;
};

/// The effect of a hop on the packet of its sender.
enum class Flow {
  copy,      ///< the sender keeps the packet
  move,      ///< the sender gives the packet up
  reduce,    ///< the sender gives up a partial result, which the receiver adds to its own
  exchange,  ///< the sender sends a sum of numbered values and keeps them; the receiver numbers the sum
  reduce_then_copy,  ///< as reduce until the packet's origin holds the whole result, and as copy from then on
};

struct Replication {
  enum class Kind { none, even_axis, all };

  Kind kind = Kind::none;
  std::uint64_t axes = 0;  ///< of even_axis only: coordinates with even moduli, bit k for coordinate k

  static Replication none() { return {}; }
  static Replication all() { return {Kind::all, 0}; }
  /// By the parity of a coordinate, below 64.
  static Replication even(std::uint32_t axis) { return {Kind::even_axis, std::uint64_t{1} << axis}; }
  /// By the parity of the sum of several coordinates, a bit each.
  static Replication even_sum(std::uint64_t axes) { return {Kind::even_axis, axes}; }

  bool operator==(const Replication&) const = default;
};

/// The coordinates along which a stage is symmetric, a bit each: under all translations along some, and under the reflections
/// x -> m - 1 - x of others (symmetries.hpp).
struct SymmetryAxes {
  std::uint64_t translations = 0;
  std::uint64_t reflections = 0;  ///< of even moduli

  bool empty() const { return translations == 0 && reflections == 0; }
  bool operator==(const SymmetryAxes&) const = default;
};

/// In which order a node prepares its messages of a round over an overlay (send_order.hpp): that to the farthest receiver first, or
/// to the nearest; of equally far ones that over the first port, or the last.
struct SendOrder {
  bool nearest_first = false;
  bool last_port_first = false;

  /// Messages to receivers at a distance, over a port, are prepared in ascending order of this.
  std::pair<std::int64_t, std::int64_t> place(std::uint32_t distance, Port port) const {
    const std::int64_t far = distance, last = port;
    return {nearest_first ? far : -far, last_port_first ? -last : last};
  }
  bool operator==(const SendOrder&) const = default;
};

/// Destination "every node".
inline constexpr Node to_all = UINT32_MAX;

/// A packet: part `part` of block `block` of `origin`, destined for `to` (a node or to_all). In a stage that
/// combines, every node contributes to the packet, `to` ends with the result, and origin equals to.
struct Packet {
  Node origin;
  Node to;
  std::uint32_t block;
  std::uint32_t part;

  bool operator==(const Packet&) const = default;
};

/// The number of a value of a node, for one part of the vector: 0 is the node's own contribution, and what
/// the node receives is numbered from 1 on in order of rounds, within a round in order of the hop list.
using ValueId = std::uint32_t;

/// A message of an exchange: the sum of some values of its sender, all of one part.
struct Sum {
  std::uint32_t part = 0;
  std::vector<ValueId> values = {};

  bool operator==(const Sum&) const = default;
};

struct Stage {
  Flow flow = Flow::move;
  Replication replication;
  std::vector<Packet> packets;  ///< empty if the collective implies them (packets.hpp)
  Rounds rounds;
  std::vector<Sum> sums = {};  ///< of exchange only: the packet number of a hop is an index of this list
  /// Of exchange only: the values that a node adds at the end. One list per part, the same for every node; or
  /// one list per part and class of nodes (node_classes.hpp), list part * classes + class. In a scan or exscan a node
  /// leaves out those that contain contributions of later nodes (prefix.hpp).
  std::vector<std::vector<ValueId>> result = {};
  /// Not replicated, but symmetric: packets, and the hops of a round, come in orbits, the images of one under each symmetry
  /// in the order of symmetries. A plan file holds the first of every orbit.
  SymmetryAxes symmetry = {};

  bool operator==(const Stage&) const = default;
};

/// strict: one packet per directed link and round. aggregated: any number of packets share one message.
enum class RoundKind { strict, aggregated };

/// Stages one after the other; each delivers its packets. Most schedules have one stage, allreduce has two.
struct Schedule {
  PortModel ports;
  RoundKind round_kind = RoundKind::strict;
  std::vector<Stage> stages;
  /// Whether packets may wait at nodes on their way. Else a packet, once sent, moves in every round until it arrives.
  bool waiting = true;
  /// Numbers of rounds, ascending, after which a barrier finds nothing in flight: they divide the rounds into steps,
  /// and all hops of a packet are in one step.
  std::vector<std::uint64_t> barriers = {};
  /// What a step may hold at most.
  std::optional<StepLimits> step_limits = {};

  std::uint64_t round_count() const {
    std::uint64_t rounds = 0;
    for (const Stage& stage : stages) rounds += stage.rounds.size();
    return rounds;
  }
  std::uint64_t hop_count() const {
    std::uint64_t hops = 0;
    for (const Stage& stage : stages) hops += stage.rounds.hop_count();
    return hops;
  }

  bool operator==(const Schedule&) const = default;
};

/// The schedule of one stage, which is moved into it; a list in braces would copy it.
inline Schedule one_stage(PortModel ports, RoundKind round_kind, Stage stage) {
  Schedule result{.ports = ports, .round_kind = round_kind, .stages = {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::schedule
