// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy program: the moves of a plan (rank/moves.hpp) with an offset for every place, so that running it is
// nothing but copying.
//
// Every node has one arena, laid out alike on all nodes of a class (cosets.hpp). A place is an offset into
// it:
//
//     | input blocks | output blocks that are not input blocks as well | slots |
//
// A translated packet stands for a packet and its translates. The translation g names one of them: node u in
// this program then means node u + g. Places depend on the class only, so every node of the receiver's class
// makes a copy that is written down once.
//
// - Contributions to a reduction are combined in the input, as with MPI_IN_PLACE; the result stays with its
//   owner. All other input blocks stay as they were.
// - A packet that begins at its destination needs no copy; it is checked like any other.
// - Within a round nothing that is read is written, for any plan, valid or not, and each arena is written by
//   its own node alone.
// - In allreduce and barrier a stage sends what the stage before it has reduced.
// - Arrivals are combined one after the other, as own = op(own, arrival): in the order of rounds, within a
//   round ascending by the receiver's port. So the plan fixes which roundings a result goes through.
//
// Parts are cut as rank/segmentation.hpp says, between elements. Cost: that of the moves by class, whatever
// the block size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/cosets.hpp"
#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

using network::Port;

/// The place of a packet that never came.
inline constexpr std::uint64_t nowhere = UINT64_MAX;

struct TranslatedPacket {
  schedule::PacketId packet;  ///< as listed in its stage
  Node owner;                 ///< the origin, or, combined, the node that ends with the result
  std::uint32_t block;
  bool combined;         ///< all survivors' contributions together rather than the owner's own bytes
  std::uint64_t offset;  ///< of the part in its block
  std::uint64_t bytes;
};

/// A packet at a node.
struct Holding {
  std::uint64_t piece;  ///< index into CopyProgram::pieces
  Node node;
  std::uint64_t place;  ///< in the arena of the node's class, or nowhere
};

struct Copy {
  std::uint64_t source;  ///< place at the sender
  std::uint64_t target;  ///< place at the receiver
  std::uint64_t bytes;
  Node receivers;  ///< class of the receiver
  Port back;       ///< the receiver's port towards the sender
  bool adds;       ///< combine with what is there
};

struct CopyProgram {
  Cosets cosets;
  std::vector<Node> survivors = {};             ///< all nodes but the failed ones, ascending
  std::vector<std::uint64_t> arena_bytes = {};  ///< of a node, by class; a multiple of 64 and not 0
  std::vector<TranslatedPacket> pieces = {};
  std::vector<Holding> sources = {};  ///< what nodes have at the start
  std::vector<Holding> sinks = {};    ///< what they must have at the end, ascending by piece
  std::vector<Copy> copies = {};      ///< round after round, ascending by receivers within a round
  std::vector<std::uint64_t> round_ends = {};
  Reduction reduction = {};
  Combine combine = nullptr;        ///< the function of the reduction
  std::uint64_t largest_piece = 0;  ///< bytes
  std::uint64_t bytes_moved = 0;    ///< by all copies of all nodes

  /// Bytes of all arenas; 2^64-1 if they are more.
  std::uint64_t memory_bytes() const;
  std::span<const Copy> round(std::uint64_t t) const;
};

/// Compiles `plan` for blocks of `block_bytes` bytes, any whole number of elements. If nothing is
/// combined, only the type of `reduction` matters: blocks are cut between its elements.
/// @throws Error if block_bytes is 0 or no multiple of an element; if the operation is not defined for
/// the type; if a replicated plan has failures; where packets are neither listed nor implied, or lie
/// outside the network.
CopyProgram compile(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction = {});

}  // namespace isotrope::local
