// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of one node of a plan: round by round, the messages that the node sends and receives, and the places of
// their data in the node's own buffers (buffers.hpp).
//
// A fragment is a stretch of units of one buffer. A message is all fragments that a node sends over one port in one
// round, one after the other; the receiver lists the same units in the same order:
//
//     sender's   | input 8..9 | slot 3 |        | b8 | b9 | c |
//     receiver's | output 8..9, stored | slot 0, stored |
//
// Messages of copied and of combined packets are in ascending order of units, so adjacent units travel as one
// fragment: recursive halving of a vector moves one fragment a round.
//
// The first arrival for a partial result goes to its place, and the node's own contribution is combined into it
// (`join`), unless the contribution has been sent on already; later arrivals are combined with the content of the
// place. So an input is never written.
//
// Slots: a slot that is sent from in a round may be used again by an arrival of that round in a message of several
// fragments, which is put in place when the round is over, and by anything from the next round on. So there are no
// more slots than packets in transit, but for messages of one fragment, which go straight to their place. A round may
// begin when the node's own receipts and sends of the round before are over, whatever others do.
//
// The program of an exchange adds values up inside the node: local moves before the sends of a round and after the last
// round (exchange_moves.hpp). The node keeps every value that it receives in a slot of its own.
//
// A program does not depend on the size of blocks (segmentation.hpp). Method: one pass over the plan's hops; each
// node makes a replicated hop once, for the translate that begins there. Cost: O(hops listed) for a replicated plan,
// else O(hops listed + fragments), and the sorting; 24 bytes a fragment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/buffers.hpp"
#include "isotrope/rank/places.hpp"
#include "isotrope/rank/segmentation.hpp"

namespace isotrope::rank {

struct Fragment {
  std::uint32_t unit = 0;   ///< the first; tells sizes
  std::uint32_t count = 1;  ///< units, more than 1 only if they are adjacent
  std::uint32_t place = 0;  ///< the first unit of the buffer, or the slot
  std::uint32_t own = 0;    ///< of join, the first unit of the input
  Buffer buffer = Buffer::input;
  OnArrival arrival = OnArrival::store;

  bool operator==(const Fragment&) const = default;
};

/// A sum on its way: part `part` of a place of the node, stored in or combined into another of its places.
struct LocalMove {
  std::uint32_t part = 0;  ///< tells the size
  Place from = {};
  Place to = {};
  OnArrival arrival = OnArrival::store;

  bool operator==(const LocalMove&) const = default;
};

/// All that goes over one directed link in one round.
struct RankMessage {
  Node peer = 0;
  Port port = 0;  ///< the node's own, towards the peer
  std::uint32_t first_fragment = 0;
  std::uint32_t fragments = 0;

  bool operator==(const RankMessage&) const = default;
};

class RankProgram : public NodeBuffers {
 public:
  std::uint32_t slots = 0;
  /// More than 1: execution is pipelined, with so many messages of the root on a link at a time.
  std::uint32_t window = 1;
  /// The output is the gathered input of all nodes; the executor of the program reduces it.
  bool reduces_gathered = false;
  /// What the node does for each chain of the plan, if its chains run by themselves (chains.hpp); the program itself has them all.
  std::vector<RankProgram> chains;
  /// The weights of the shares of the data that run by themselves (schedule/plan.hpp); empty: there are none. Each runs the only
  /// one of `chains`, or this program if there is none.
  std::vector<std::uint32_t> shares;
  std::vector<std::uint64_t> part_ends;  ///< if window > 1: the weights of the parts up to each and with it

  /// The number of rounds, those without messages of this node among them.
  std::size_t rounds() const { return round_ends_.size(); }
  /// Ascending by port.
  std::span<const RankMessage> sends(std::size_t round) const {
    const auto [begin, middle, end] = bounds(round);
    return {messages_.data() + begin, middle - begin};
  }
  /// Ascending by port: the order in which they are combined.
  std::span<const RankMessage> receipts(std::size_t round) const {
    const auto [begin, middle, end] = bounds(round);
    return {messages_.data() + middle, end - middle};
  }
  std::span<const Fragment> fragments(const RankMessage& message) const {
    return {fragments_.data() + message.first_fragment, message.fragments};
  }
  /// The additions of an exchange, in order: before the sends of `round`, or after the last round if `round` is
  /// rounds(). None in programs of other flows.
  std::span<const LocalMove> local_moves(std::size_t round) const {
    if (local_ends_.empty()) return {};
    const std::uint32_t begin = round == 0 ? 0 : local_ends_[round - 1];
    return {local_moves_.data() + begin, local_ends_[round] - begin};
  }
  /// Whether the data of a message that the node sends in `round` are in their places a round before: neither a receipt of that
  /// round nor a local move changes them. Input, output and partial results may be the same memory (MPI_IN_PLACE).
  bool is_early(std::size_t round, const RankMessage& send) const;
  /// Where the units lie of blocks of `elements` elements, or of one vector of so many. The program must outlive the result.
  Segmentation units_of(std::uint64_t elements) const {
    if (!part_ends.empty()) return Segmentation::of_weighted_block(elements, part_ends);
    return one_vector ? Segmentation::of_vector(elements, input_blocks, parts)
                      : Segmentation::of_blocks(elements, parts);
  }

  bool operator==(const RankProgram&) const = default;

 private:
  friend class ChainSplit;  // chains.cpp
  friend class ProgramWriter;
  friend class ProgramMapping;  // mapped_program.cpp
  struct RoundEnd {
    std::uint32_t sends = 0;  // the end of the sends and begin of the receipts
    std::uint32_t all = 0;

    bool operator==(const RoundEnd&) const = default;
  };
  struct Bounds {
    std::uint32_t begin, middle, end;
  };
  Bounds bounds(std::size_t round) const {
    return {round == 0 ? 0 : round_ends_[round - 1].all, round_ends_[round].sends, round_ends_[round].all};
  }

  std::vector<RoundEnd> round_ends_;
  std::vector<RankMessage> messages_;
  std::vector<Fragment> fragments_;
  std::vector<LocalMove> local_moves_;
  std::vector<std::uint32_t> local_ends_;  // by round, and after the last one; empty: no moves
};

/// The program of `node` of a plan that is moved by the translation 0 -> `moved_by`, which moves its root as
/// well: one plan serves every root. Failed nodes have no program and take no part. @pre the plan is valid
/// (verify it first), and is not moved if nodes or links have failed.
/// @throws Error if the plan has more stages than its collective, if `node` or `moved_by` is outside the
/// network, if `node` has failed, or if a scan or exscan is moved.
RankProgram compile(const schedule::Plan& plan, Node node, Node moved_by = 0);

/// @throws Error if the plan has more stages than programs are made of.
void require_stages(const schedule::Plan& plan);
/// For those who execute a plan on all nodes. @throws Error if a node has failed.
void require_all_nodes(const schedule::Plan& plan);

}  // namespace isotrope::rank
