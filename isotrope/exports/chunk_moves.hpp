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
// Transit places are given out anew: one that is sent from in a round is used again only from the next round
// on. So no receipt waits for a send of its own round, and whoever runs the moves of a round side by side
// cannot come to wait in a circle.
//
// Cost: O(moves).
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::exports {

/// The most chunks of one move.
inline constexpr std::uint32_t most_move = 71;

/// Chunks from `first` on.
struct Place {
  rank::Buffer buffer = rank::Buffer::input;
  std::uint32_t first = 0;

  bool operator==(const Place&) const = default;
};

struct Move {
  std::uint32_t round = 0;  ///< counted from 0 through all stages
  std::uint32_t count = 0;  ///< 1..most_move chunks
  Place from;               ///< at the sender
  Place to;                 ///< at the receiver
  rank::Arrival arrival = rank::Arrival::store;
  std::uint32_t own = 0;  ///< of join, the first chunk of the receiver's input
};

/// The buffers of one node, in chunks, and what it copies before the first round and after the last.
struct ChunkBuffers {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t transit = 0;
  std::vector<rank::Transfer> opening;
  std::vector<rank::Transfer> closing;
};

struct ChunkMoves {
  std::uint32_t rounds = 0;
  std::vector<ChunkBuffers> nodes;
  std::vector<std::vector<Move>> links;  ///< by node * degree + port, in the order in which they are made
};

/// The moves of all nodes.
/// @pre the plan is valid (verify it first).
/// @throws Error where the plan has too many hops (sizes.hpp), or nodes have failed.
ChunkMoves chunk_moves(const schedule::Plan& plan);

}  // namespace isotrope::exports
