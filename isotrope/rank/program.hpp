// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What one node does of a plan: round by round, the messages it sends and receives, and where what they carry
// lies in its own buffers.
//
//     input      the blocks the node contributes      alltoall, scatter's root, reduce-scatter: N, else 1
//     output     the blocks it ends with              alltoall, allgather, gather's root: N, else 1
//     transit    slots of one unit each for what it passes on; or, where it combines for others, a copy of
//                the input, unit by unit, for partial results
//
// Allreduce has as many blocks in as out: N, of one vector, where the plan combines a block at every node,
// else 1. What an allreduce or the root of a reduce combines grows in the output, where it belongs.
//
// A piece is a stretch of units of one buffer. A message is all pieces that a node sends over one port in one
// round, one after the other; the receiver lists the same units in the same order:
//
//     sender's   | input 8..9 | transit 3 |        | b8 | b9 | c |
//     receiver's | output 8..9, stored | transit 0, stored |
//
// Messages of copied and of combined packets are in ascending order of units, so that what lies side by side
// travels as one piece: recursive halving of a vector moves one piece a round.
//
// The first arrival for a partial result goes to its place and the node's own contribution is combined into
// it (`join`), unless that has been sent on already; later ones are combined with what is there. So an input is
// never written.
//
// Slots: one that is sent from in a round may be used again by what comes in that round in a message of
// several pieces, which is put in place when the round is over, and by anything from the next round on. So
// there are no more than packets in transit, but for messages of one piece, which go straight to their place.
// A round may begin when the node's own receipts and sends of the round before are over, whatever others do.
//
// A program does not depend on the size of blocks (units.hpp). Method: one pass over the plan's hops; a
// replicated hop is made by each node once, for the translate that begins there. Cost: O(hops listed) for a
// replicated plan, O(hops listed + pieces) for one that is not, and the sorting; 24 bytes a piece.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::rank {

using network::Node;
using network::Port;

enum class Buffer : std::uint8_t { input, output, transit };

/// What becomes of a piece that has come. When sent, it is always `store`.
enum class Arrival : std::uint8_t {
  store,   ///< it is put in its place
  join,    ///< it is put in its place, and the units of the input from `own` on are combined into it
  combine  ///< it is combined into what is in its place
};

struct Piece {
  std::uint32_t unit = 0;   ///< the first; tells sizes
  std::uint32_t count = 1;  ///< units, more than 1 only where they lie side by side
  std::uint32_t place = 0;  ///< the first unit of input or output, or of a slotted transit buffer the slot
  std::uint32_t own = 0;    ///< of join, the first unit of the input
  Buffer buffer = Buffer::input;
  Arrival arrival = Arrival::store;

  bool operator==(const Piece&) const = default;
};

/// All that goes over one directed link in one round.
struct Message {
  Node peer = 0;
  Port port = 0;  ///< the node's own, towards the peer
  std::uint32_t first_piece = 0;
  std::uint32_t pieces = 0;
};

/// Before the first round or after the last: `count` units from one buffer to another of the same node.
struct Transfer {
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::uint32_t first_from = 0;
  std::uint32_t first_to = 0;
  std::uint32_t count = 0;
};

/// A block that is not numbered by a formula: of the collectives neighborhood, isotropic and task.
struct ListedBlock {
  Node other = 0;  ///< the destination of an input, the origin of an output
  std::uint32_t block = 0;

  bool operator==(const ListedBlock&) const = default;
};

class Program {
 public:
  std::uint32_t parts = 1;
  std::uint32_t input_blocks = 0;
  std::uint32_t output_blocks = 0;
  bool one_vector = false;           ///< input and output are one vector, cut into blocks (allreduce)
  bool mirrored = false;             ///< transit has the units of the input, not slots
  std::uint32_t transit_units = 0;   ///< slots, or units of the input
  std::vector<ListedBlock> inputs;   ///< their names, where they are listed
  std::vector<ListedBlock> outputs;  ///< so
  std::vector<Transfer> opening;     ///< before the first round
  std::vector<Transfer> closing;     ///< after the last round
  /// More than 1: it may run ahead of rounds (run_ahead.hpp), with so many messages of the root on a link.
  std::uint32_t in_flight = 1;
  std::vector<std::uint64_t> part_ends;  ///< then, the weights of the parts up to each and with it

  /// The number of rounds, those without messages of this node among them.
  std::size_t rounds() const { return round_ends_.size(); }
  /// Ascending by port.
  std::span<const Message> sends(std::size_t round) const {
    const auto [begin, middle, end] = bounds(round);
    return {messages_.data() + begin, middle - begin};
  }
  /// Ascending by port: the order in which they are combined.
  std::span<const Message> receipts(std::size_t round) const {
    const auto [begin, middle, end] = bounds(round);
    return {messages_.data() + middle, end - middle};
  }
  std::span<const Piece> pieces(const Message& message) const {
    return {pieces_.data() + message.first_piece, message.pieces};
  }
  /// Bytes of memory that it takes.
  std::uint64_t memory_bytes() const;

 private:
  friend class Compiler;
  struct RoundEnd {
    std::uint32_t sends = 0;  // the end of them, where the receipts begin
    std::uint32_t all = 0;
  };
  struct Bounds {
    std::uint32_t begin, middle, end;
  };
  Bounds bounds(std::size_t round) const {
    return {round == 0 ? 0 : round_ends_[round - 1].all, round_ends_[round].sends, round_ends_[round].all};
  }

  std::vector<RoundEnd> round_ends_;
  std::vector<Message> messages_;
  std::vector<Piece> pieces_;
};

/// The program of `node` where the plan is moved by the translation 0 -> `moved_by`, which moves its root as
/// well: one plan serves every root. @pre the plan is valid (verify it first), and is not moved where links
/// have failed.
/// @throws Error where a node of the plan has failed, or `node` or `moved_by` is outside the network.
Program compile(const schedule::Plan& plan, Node node, Node moved_by = 0);

/// The program of an allreduce by a reduce-scatter all of whose blocks are the same vector: of several blocks
/// a message carries one, as their partial results are the same. So recursive halving becomes recursive
/// doubling. @pre as above, of a reduce-scatter in one part, and partial results that leave a node in one
/// message have combined the same contributions.
Program compile_whole_vectors(const schedule::Plan& reduce_scatter, Node node);

}  // namespace isotrope::rank
