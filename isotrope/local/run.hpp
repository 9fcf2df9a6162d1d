// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan in this process: every node has buffers of its own, a team of threads executes the hops by copying
// or combining bytes, and every delivered byte is checked.
//
// The check covers every block that a node must hold at the end: N blocks at each of N nodes for alltoall and
// allgather, the node's own included. A block that begins at its destination is checked, but not copied.
// Reductions apply any of MPI's operations that is defined for the type (reduction.hpp), in an order that the
// plan determines (copy_program.hpp): results are equal to the bit for any number of threads. The check compares
// results with a serial reduction in the order of the nodes: to the bit, or, for sums and products of
// floating-point numbers, within the possible difference of roundings (expectation.hpp). A barrier runs as an
// allreduce.
//
// Method: the plan is compiled to copies between fixed places (copy_program.hpp); each thread makes the copies to
// its own nodes, round by round. Cost: one memcpy per hop. The alltoall of hypercube:6 in blocks of 64 KiB runs
// at about the rate of memcpy, or slightly faster if packets that are sent on are still in a cache.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

/// The most threads of a run.
inline constexpr unsigned most_threads = 4096;

struct ExecutionOptions {
  std::uint64_t block_bytes = 0;   ///< bytes of a block; parts differ by at most one element
  Reduction reduction = {};        ///< the type of the elements, and the operation
  unsigned threads = 0;            ///< 0: one per core; at most one per node is used
  std::uint64_t memory_limit = 0;  ///< the most bytes of buffers; 0: no limit
  std::uint64_t seed = 1;          ///< of the bytes sent
  /// Called now and then with the share done, 0..1, on the calling thread. run() throws its exceptions at the
  /// end.
  std::function<void(double)> progress = {};
};

struct RunResult {
  bool correct = false;     ///< every byte that must be there at the end is correct
  std::string first_error;  ///< if not correct: node, packet and place of the first wrong byte or element
  std::uint64_t rounds = 0;
  std::uint64_t bytes_moved = 0;    ///< over links, all hops of all nodes
  std::uint64_t bytes_checked = 0;  ///< at their destinations
  std::uint64_t memory_bytes = 0;   ///< all buffers of all nodes together
  /// The largest difference from the serial result, and the largest that counts as correct, both as a share of
  /// the sum of absolute values, or of the product. 0 if nothing is rounded.
  double largest_rounding = 0;
  double rounding_bound = 0;
  unsigned threads = 0;  ///< used
  double seconds = 0;    ///< of the exchange alone
  /// Seconds for as many bytes with memcpy, by the same threads, in pieces of the largest size, in the same
  /// memory; the median of three measurements.
  double memcpy_seconds = 0;
};

/// Bytes of buffers that run() needs for `plan`; saturates at 2^64-1.
/// @throws Error as run() does for the plan, the block size and the reduction.
std::uint64_t memory_needed(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction = {});

/// Runs `plan`, which should be valid (verify it first). An invalid plan is safe to run: a hop from a node without
/// the packet moves nothing, and the result is not correct if a block is missing or wrong at the end.
/// @throws Error if block_bytes is 0 or no whole number of elements, the operation is not defined for the type,
/// a replicated plan has failures, packets are neither listed nor implied or lie outside the network,
/// memory_limit is exceeded, or the system has too little memory or too few threads.
RunResult run(const schedule::Plan& plan, const ExecutionOptions& options);

}  // namespace isotrope::local
