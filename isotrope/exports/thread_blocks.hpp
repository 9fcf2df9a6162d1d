// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves of chunks as MSCCL executes them: every GPU has thread blocks, each of which runs its steps in order.
//
//     block      sends to one peer or receives from one peer, over one channel, or copies within the GPU
//     step       send, receive, receive and reduce, copy; or nop, which only waits
//
// The blocks of a GPU run concurrently. A read waits for the last write of the same chunk; a write waits for
// the last write and for all reads since. A step does not wait for steps of its own block, nor for steps that
// an earlier wait of its block implies. A step can wait for one step; nops before it wait for the others.
//
//     block 0    send chunk 3 to 1 ........................ send chunk 5
//     block 1                         receive chunk 5 --------^           depends on block 1, step 0
//
// A node may receive a packet in the round in which it sends its own copy. The bytes are the same, so the
// receipt does not wait for that send. So every wait is for an earlier round or, between receipts of one
// round, for a lower port: the steps do not deadlock, even if channels buffer nothing.
//
// If the collective can be called in place, input and output count as one buffer (chunk_moves.hpp): the order is
// correct for calls in place and out of place.
//
// The moves of a link are distributed to n channels, move k to channel k mod n; n is the least number that
// keeps all blocks within the limits. If the network has more than 15 ports, groups of 15 ports have their
// own channels.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/places.hpp"

#include "isotrope/exports/chunk_moves.hpp"

namespace isotrope::exports {

/// The limits of MSCCL.
inline constexpr std::uint32_t most_steps = 256;          ///< of a block
inline constexpr std::uint32_t most_channels = 32;        ///< of an algorithm
inline constexpr std::uint32_t most_channel_blocks = 32;  ///< of a GPU in one channel
inline constexpr std::uint32_t most_blocks = 108;         ///< of a GPU: the multiprocessors of an A100

enum class StepKind { send, receive, receive_reduce, copy, nop };

struct ThreadStep {
  StepKind kind = StepKind::nop;
  std::uint32_t count = 0;
  rank::Place from = {};  ///< receive_reduce: the operand at the receiver
  rank::Place to = {};
  std::int32_t awaited_block = -1;  ///< -1: none
  std::int32_t awaited_step = -1;
  bool is_awaited = false;
};

struct ThreadBlock {
  std::int64_t send = -1;     ///< the peer, or -1
  std::int64_t receive = -1;  ///< the peer, or -1
  std::uint32_t channel = 0;
  std::vector<ThreadStep> steps;
};

struct ThreadBlocks {
  std::uint32_t channels = 0;
  std::vector<ChunkBuffers> buffers;
  std::vector<std::vector<ThreadBlock>> gpus;
};

/// The buffers and blocks of all GPUs. @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops (sizes.hpp) or failed nodes, or, with the number found, if no number
/// of channels keeps the blocks within the limits.
ThreadBlocks thread_blocks(const schedule::Plan& plan);

}  // namespace isotrope::exports
