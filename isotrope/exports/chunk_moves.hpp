// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as moves of chunks: the data on every link, with their places at the sender and at the receiver.
//
//     chunk       a unit of the rank programs (rank/program.hpp): one part of one block
//     move        chunks that are contiguous at both ends
//
//     sender      | 8 9 10 11 |      a move ends where the data of the sender or of the receiver have a gap
//     receiver    | 4 5 | 0 1 |
//     moves         a     b
//
// The moves are those of the plan by node (rank/moves.hpp), ascending by unit on each link in each round. A
// slot that is read in a round is not written before the next round. So no receipt waits for a send of its own
// round, and the moves of a round can run concurrently without deadlock. Cost: O(moves).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/buffers.hpp"
#include "isotrope/rank/places.hpp"

namespace isotrope::exports {

/// The sizes of the buffers of one node, in chunks, and its copies before the first and after the last round.
struct ChunkBuffers {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t transit = 0;  ///< partial results, or slots
  std::vector<rank::BufferCopy> opening;
  std::vector<rank::BufferCopy> closing;
};

struct ChunkMove {
  std::uint32_t round = 0;  ///< counted from 0 through all stages
  std::uint32_t count = 0;  ///< chunks
  rank::Place from = {};    ///< the first chunk at the sender
  rank::Place to = {};      ///< the first chunk at the receiver
  rank::OnArrival arrival = rank::OnArrival::store;
  std::uint32_t own = 0;  ///< join: the first chunk of the receiver's input
};

struct ChunkMoves {
  std::uint32_t rounds = 0;
  std::vector<ChunkBuffers> nodes;
  std::vector<std::vector<ChunkMove>>
      links;  ///< by node * degree + port of hop_network(plan), round by round
};

/// @pre the plan is valid (verify it first). `most_move` >= 1 is the most chunks of one move.
/// @throws Error if the plan has too many hops (sizes.hpp) or failed nodes.
ChunkMoves chunk_moves(const schedule::Plan& plan, std::uint32_t most_move);

/// Whether the collective may be called with one buffer for input and output.
bool has_form_in_place(schedule::Collective collective);

/// The number of chunks of the longest input or output of any node.
std::uint32_t most_chunks(const std::vector<ChunkBuffers>& nodes);

/// The chunks of one node, numbered through its buffers. If the collective has a form in place, chunks of input and
/// output that are one in place have one number, so that an order that is right for these numbers is right for
/// calls in place and out of place.
class ChunkCells {
 public:
  ChunkCells(const schedule::Plan& plan, const ChunkBuffers& buffers, network::Node node);

  std::size_t operator()(const rank::Place& place) const {
    return place.index + (place.buffer == rank::Buffer::input    ? input_
                          : place.buffer == rank::Buffer::output ? output_
                                                                 : transit_);
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t input_ = 0, output_, transit_, count_;
};

}  // namespace isotrope::exports
