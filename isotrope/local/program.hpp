// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program: a plan with a place for every byte, so that running it is nothing but copying.
//
// Every node has one arena, laid out alike on all nodes of a class (cosets.hpp). A place is an offset into
// it:
//
//     | what the node sends, piece by piece | what it is to receive | transit slots |      stage after stage
//
// A piece is a packet together with its translates. An instance of it is named by a translation g: what
// stands here for node u then means node u + g. Places depend on the class only, so a copy written down once
// is made by every node of the receiver's class.
//
// - What is sent stays as it was, as the send buffer of MPI_Alltoall does. Contributions to a combined piece
//   are combined where they lie, as with MPI_IN_PLACE; the result stays with its owner.
// - A piece that begins where it is destined needs no copy; it is checked like any other.
// - A transit slot freed by a send is used again from the next round on: a neighbour may still be reading it.
//   So within a round nothing that is read is written, for any plan, valid or not, and each arena is written
//   by its own node alone.
// - A hop moves nothing where its sender does not hold the packet, or where it touches a failed node or link.
// - Of allreduce and barrier a stage sends what the stage before it has combined.
// - Arrivals are combined one after the other, as own = op(own, arrival): in the order of rounds, within a
//   round ascending by the receiver's port. So which roundings a result goes through is fixed by the plan.
//   The first arrival at a node that has given its partial result up is only kept.
//
// Parts: part j of a block of E elements in P parts is elements floor(j E / P) to floor((j+1) E / P) - 1. All
// places are whole numbers of elements.
// Cost: O(listed hops + pieces + destinations within the classes) time and memory, whatever the block size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/cosets.hpp"
#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

using network::Port;

/// Where something would be that never came.
inline constexpr std::uint64_t nowhere = UINT64_MAX;

struct Piece {
  schedule::PacketId packet;  ///< as listed in its stage
  Node owner;                 ///< the origin, or, combined, the node that ends with the result
  std::uint32_t block;
  bool combined;         ///< all survivors' contributions together rather than the owner's own bytes
  std::uint64_t offset;  ///< of the part in its block
  std::uint64_t bytes;
};

/// A piece at a node.
struct Holding {
  std::uint64_t piece;  ///< index into Program::pieces
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

struct Program {
  Cosets cosets;
  std::vector<Node> survivors;             ///< all nodes but the failed ones, ascending
  std::vector<std::uint64_t> arena_bytes;  ///< of a node, by class; a multiple of 64 and not 0
  std::vector<Piece> pieces;
  std::vector<Holding> sources;  ///< what nodes have at the start
  std::vector<Holding> sinks;    ///< what they must have at the end, ascending by piece
  std::vector<Copy> copies;      ///< round after round, ascending by receivers within a round
  std::vector<std::uint64_t> round_ends;
  Reduction reduction = {};
  Combine combine = nullptr;        ///< the function of the reduction
  std::uint64_t largest_piece = 0;  ///< bytes
  std::uint64_t bytes_moved = 0;    ///< by all copies of all nodes

  /// Bytes of all arenas; 2^64-1 where they are more.
  std::uint64_t memory_bytes() const;
  std::span<const Copy> round(std::uint64_t t) const;
};

/// Compiles `plan` for blocks of `block_bytes` bytes, any whole number of elements. Where nothing is
/// combined, only the type of `reduction` matters: blocks are cut between its elements.
/// @throws Error where block_bytes is 0 or no multiple of an element; where the operation is not defined for
/// the type; where a replicated plan has failures; where packets are neither listed nor implied, or lie
/// outside the network.
Program compile(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction = {});

}  // namespace isotrope::local
