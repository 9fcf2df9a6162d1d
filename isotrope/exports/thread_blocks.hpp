// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves of chunks as MSCCL runs them: on every GPU, thread blocks that do their steps one after the other.
//
//     block      sends to one peer, or receives from one, over one channel, or copies within the GPU
//     step       send, receive, receive and reduce, copy; or nop, which only waits
//
// The blocks of a GPU run side by side. A step waits for what it must not overtake on its GPU: it reads after
// the last write of what it reads, and writes after the last write and all reads of what it overwrites. What
// its own block has done, and what earlier steps have waited for, directly or by way of others, is not waited
// for again. A step can wait for one other; nops before it wait for the rest.
//
//     block 0    send chunk 3 to 1 ........................ send chunk 5
//     block 1                         receive chunk 5 --------^           depends on block 1, step 0
//
// A copied packet may come to a node that holds and sends it in the same round; it brings the same bytes, and
// nothing waits for that send. So all waits lead to an earlier round or, among the receipts of one round, to
// a lower port: whatever a channel buffers, even nothing, the steps do not come to wait in a circle.
//
// Where the collective may be called in place, input and output are taken to be one buffer: the order is
// right for both kinds of call.
//
// The moves of a link are dealt out to as many channels as it takes to bring all blocks within the limits,
// the k-th of them to channel k mod that number; of a network with many ports those of 15 ports share
// channels.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/exports/chunk_moves.hpp"

namespace isotrope::exports {

/// What MSCCL can load and run.
inline constexpr std::uint32_t most_steps = 256;          ///< of a block
inline constexpr std::uint32_t most_channels = 32;        ///< of an algorithm
inline constexpr std::uint32_t most_channel_blocks = 32;  ///< of a GPU in one channel
inline constexpr std::uint32_t most_blocks = 108;         ///< of a GPU: the multiprocessors of an A100

enum class StepKind { send, receive, receive_reduce, copy, nop };

struct ThreadStep {
  StepKind kind = StepKind::nop;
  std::uint32_t count = 0;
  rank::Place from = {};  ///< of receive_reduce, what is combined with what comes
  rank::Place to = {};
  std::int32_t awaited_block = -1;  ///< -1 if it waits for none
  std::int32_t awaited_step = -1;
  bool is_awaited = false;
};

struct ThreadBlock {
  std::int64_t send = -1;     ///< the peer, or -1
  std::int64_t receive = -1;  ///< so
  std::uint32_t channel = 0;
  std::vector<ThreadStep> steps;
};

struct ThreadBlocks {
  std::uint32_t channels = 0;
  std::vector<std::vector<ThreadBlock>> gpus;
};

/// Whether the collective may be called with one buffer for input and output.
bool has_form_in_place(schedule::Collective collective);

/// The blocks of all GPUs.
/// @pre `moves` are those of the plan.
/// @throws Error if they are beyond the limits, however many channels there are, with the number found.
ThreadBlocks thread_blocks(const schedule::Plan& plan, const ChunkMoves& moves);

}  // namespace isotrope::exports
