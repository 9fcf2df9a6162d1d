// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as moves of chunks: what goes over every link, with the places it is taken from and put to.
//
//     a chunk      a unit of the rank programs (rank/program.hpp): one part of one block
//     a move       a stretch of chunks that lie side by side at both ends, at most most_move of them
//
//     sender      | 8 9 10 11 |      pieces of the sender's and the receiver's message differ; moves are
//     receiver    | 4 5 | 0 1 |      cut where either has a cut
//     moves         a     b
//
// They are the moves of the plan by node (rank/moves.hpp), those of one link and round in ascending order of
// units, so a slot that is sent from in a round is used again only from the next round on. So no receipt
// waits for a send of its own round, and whoever runs the moves of a round side by side cannot come to wait in
// a circle.
//
// Cost: O(moves).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/buffers.hpp"

namespace isotrope::exports {

/// The most chunks of one move.
inline constexpr std::uint32_t most_move = 71;

struct ChunkMove {
  std::uint32_t round = 0;  ///< counted from 0 through all stages
  std::uint32_t count = 0;  ///< 1..most_move chunks
  rank::Place from = {};    ///< the first chunk at the sender
  rank::Place to = {};      ///< the first chunk at the receiver
  rank::OnArrival arrival = rank::OnArrival::store;
  std::uint32_t own = 0;  ///< of join, the first chunk of the receiver's input
};

/// The buffers of one node, in chunks, and what it copies before the first round and after the last.
struct ChunkBuffers {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t transit = 0;  ///< partial results, or slots
  std::vector<rank::BufferCopy> opening;
  std::vector<rank::BufferCopy> closing;
};

struct ChunkMoves {
  std::uint32_t rounds = 0;
  std::vector<ChunkBuffers> nodes;
  std::vector<std::vector<ChunkMove>>
      links;  ///< by node * degree + port, in the order in which they are made
};

/// The moves of all nodes.
/// @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops (sizes.hpp), or nodes have failed.
ChunkMoves chunk_moves(const schedule::Plan& plan);

}  // namespace isotrope::exports
