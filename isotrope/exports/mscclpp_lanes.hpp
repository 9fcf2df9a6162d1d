// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves of chunks as the executor of MSCCL++ runs them: every GPU has lanes, each of which serves some of its links.
//
//     channel     both ways between two GPUs: signal at one end, wait at the other, in order
//     put         writes chunks into a buffer of the GPU at the other end of a link
//     lane        runs its operations one after the other; lanes of a GPU run side by side
//     block       at most 64 operations of a lane; a semaphore starts the next block of the lane
//
// A round of a lane, `in` the links over which something comes in this round, `out` those over which something goes:
//
//     signal in      "this GPU has finished the rounds before: write"
//     wait out
//     put out
//     signal out     "the chunks are there"
//     wait in
//     barrier        of all lanes of the GPU
//     reduce, copy   what landed; then another barrier
//
// A chunk goes to its place at once if it is to be stored, if nothing is sent from this place in this round, and if
// nothing else comes for it. Otherwise it lands in scratch, and is put in its place when all sends of the round are
// over: the chunks of one place in the order of the receiver's ports. Landing chunks of a round are overwritten
// in the next, which begins when they are used.
//
// Nothing waits for ever: a GPU that has finished round t - 1 signals for round t before it waits, so the GPUs that
// are behind can always go on. On a channel both ends name the signals of a round in the same order.
//
// There are as many lanes as links, or the most that keep the blocks of a GPU within the limit.
// Cost: O(moves log moves), for every number of lanes that is tried.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/exports/chunk_moves.hpp"

namespace isotrope::exports {

/// The limits of MSCCL++'s executor, and of its GPUs.
inline constexpr std::uint32_t most_operations = 64;    ///< of a block
inline constexpr std::uint32_t most_lane_channels = 8;  ///< of an operation; each has 2 buffers of 16 a block
inline constexpr std::uint32_t most_resident_blocks = 108;  ///< of a GPU: all run at a time on an A100

/// Chunks of one buffer: i input, o output, s scratch (transit, then landing).
struct ChunkSpan {
  char buffer = 'i';
  std::uint32_t index = 0;
  std::uint32_t count = 0;

  bool operator==(const ChunkSpan&) const = default;
};

/// A buffer of another GPU.
struct RemoteBuffer {
  network::Node gpu = 0;
  char buffer = 'o';

  bool operator==(const RemoteBuffer&) const = default;
};

enum class OperationKind { nop, barrier, signal, wait, put, copy, reduce, acquire, release };

struct LaneOperation {
  OperationKind kind = OperationKind::nop;
  std::vector<std::uint32_t> ids =
      {};                            ///< signal, wait: of the lane's channels; acquire, release: a semaphore
  std::vector<ChunkSpan> from = {};  ///< reduce: all operands
  std::vector<ChunkSpan> to = {};    ///< as many as `from`; one of copy and reduce
  std::vector<std::uint32_t> buffers = {};  ///< put: of the lane's remote buffers, one for each of `to`
};

struct Lane {
  std::vector<std::uint32_t> channels = {};  ///< indices into LanedGpu::peers
  std::vector<std::uint32_t> buffers = {};   ///< indices into LanedGpu::buffers
  std::vector<std::vector<LaneOperation>> blocks = {};
};

struct LanedGpu {
  std::uint32_t scratch = 0;         ///< chunks
  std::uint32_t semaphores = 0;      ///< all 0 at the beginning
  std::vector<network::Node> peers;  ///< of every channel; the k-th of u to v is the k-th of v to u
  std::vector<RemoteBuffer> buffers;
  std::vector<Lane> lanes;
};

struct LanedPlan {
  std::vector<ChunkBuffers> nodes;
  std::vector<LanedGpu> gpus;
};

/// The lanes of all GPUs. @pre the plan is valid (verify it first).
/// @throws Error if the plan has too many hops (sizes.hpp) or failed nodes, or, with the number found, if a GPU
/// needs too many blocks.
LanedPlan laned(const schedule::Plan& plan);

}  // namespace isotrope::exports
