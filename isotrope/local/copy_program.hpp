// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy program: the moves of a plan (rank/moves.hpp) as copies between offsets in memory.
//
// Every node has one arena, with the same layout on all nodes of a class (cosets.hpp). A place is an offset in
// the arena:
//
//     | input blocks | output blocks that are not input blocks as well | slots |
//
// A translated packet stands for a packet and its translates. Under translation g, node u of the program means
// node u + g. Places depend on the class only, so one entry stands for the copies of all nodes of the class.
//
// - Contributions to a reduction are combined in the input, as with MPI_IN_PLACE; the result stays with its
//   owner. All other input blocks stay unchanged.
// - A packet that begins at its destination needs no copy, but is checked.
// - In any plan, valid or not, no byte is both read and written in a round, and only the owner of an arena
//   writes to it.
// - In a scan or exscan every node is a class of its own, as their results differ.
// - In allreduce and barrier a stage sends the results of the stage before.
// - Arrivals are combined one after the other, as own = op(own, arrival): in the order of rounds, in a round
//   ascending by the receiver's port. So the plan determines all roundings of a result.
//
// Blocks are cut into parts between elements (rank/segmentation.hpp). Cost: that of the moves by class, for any
// block size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/cosets.hpp"
#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

using network::Port;

/// The place of a packet that never arrives.
inline constexpr std::uint64_t nowhere = UINT64_MAX;

struct TranslatedPacket {
  schedule::PacketId packet;  ///< as listed in its stage
  Node owner;                 ///< the origin; of a reduced packet, the node that gets the result, or to_all
  std::uint32_t block;
  bool combined;         ///< reduced from the contributions of all survivors
  std::uint64_t offset;  ///< of the part in its block
  std::uint64_t bytes;

  /// The owner of the translate by `translation`.
  Node owner_at(const network::Group& group, Node translation) const {
    return owner == schedule::to_all ? owner : group.add(owner, translation);
  }
};

/// Whose contributions a reduced packet contains at a node.
enum class Contributors : std::uint8_t {
  all,
  up_to_node,  ///< of a scan
  before_node  ///< of an exscan
};

/// A packet at a node.
struct Holding {
  std::uint64_t piece;  ///< index into CopyProgram::pieces
  Node node;
  std::uint64_t place;  ///< in the arena of the node's class, or nowhere
};

/// The sender is the receiver.
inline constexpr Port inside = UINT32_MAX;

struct Copy {
  std::uint64_t source;  ///< place at the sender
  std::uint64_t target;  ///< place at the receiver
  std::uint64_t bytes;
  Node receivers;  ///< class of the receiver
  Port back;       ///< the receiver's port towards the sender, or inside
  bool adds;       ///< combine with the contents of the target
};

struct CopyProgram {
  Cosets cosets;
  std::vector<Node> survivors = {};             ///< all nodes but the failed ones, ascending
  std::vector<std::uint64_t> arena_bytes = {};  ///< of a node, by class; a multiple of 64 and not 0
  std::vector<TranslatedPacket> pieces = {};
  std::vector<Holding> sources = {};  ///< the packets at the start
  std::vector<Holding> sinks = {};    ///< the packets that must be there at the end, ascending by piece
  std::vector<Copy> copies = {};      ///< step after step, ascending by receivers within a step
  /// A step is a round, or the copies within nodes before a round or after the last one.
  std::vector<std::uint64_t> step_ends = {};
  Contributors contributors = Contributors::all;
  Reduction reduction = {};
  Combine combine = nullptr;        ///< the function of the reduction
  std::uint64_t largest_piece = 0;  ///< bytes
  std::uint64_t bytes_moved = 0;    ///< by all copies of all nodes over links

  /// Bytes of all arenas; saturates at 2^64-1.
  std::uint64_t memory_bytes() const;
  std::span<const Copy> step(std::uint64_t t) const;
};

/// Compiles `plan` for blocks of `block_bytes` bytes. If nothing is reduced, only the type of `reduction`
/// matters: blocks are cut between its elements.
/// @throws Error if block_bytes is 0 or no multiple of an element, the operation is not defined for the type, a
/// replicated plan has failures, or packets are neither listed nor implied or lie outside the network.
CopyProgram compile(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction = {});

}  // namespace isotrope::local
