// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan in this process: the nodes live on a pool of threads, each with real buffers of its own; hops
// copy (or combine) real bytes; every delivered byte is checked against its origin.
//
// What counts as checked is every block a node must hold in the end: N blocks at each of N nodes for alltoall
// and allgather, the node's own among them. A block that begins where it is destined is checked, but not
// copied. Combining collectives compute any of MPI's operations that is defined for the type (reduction.hpp),
// in an order that the plan fixes (copy_program.hpp): results are the same to the bit, however many threads there
// are. They are checked against a serial reduction in the order of the nodes: to the bit, and the sums and
// products of floating-point numbers within the rounding that another order may bring (expectation.hpp). A
// barrier runs as an allreduce.
//
// Method: the plan is compiled to copies between fixed places (copy_program.hpp), which the threads make round by
// round, each for its own nodes. Cost: one memcpy a hop. The alltoall of hypercube:6 in blocks of 64 KiB runs
// at about the rate of memcpy, a little above it where a packet is sent on while it is still in a cache.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/local/reduction.hpp"

namespace isotrope::local {

/// The most threads a run may ask for.
inline constexpr unsigned most_threads = 4096;

struct RunOptions {
  std::uint64_t block_bytes = 0;   ///< bytes of one block; parts differ by at most an element
  Reduction reduction = {};        ///< type of the elements, and how they are combined
  unsigned threads = 0;            ///< 0: one a core; no more are used than there are nodes
  std::uint64_t memory_limit = 0;  ///< refuse what needs more bytes than this; 0: no limit
  std::uint64_t seed = 1;          ///< of the bytes sent
  /// Called now and then with the share done, 0..1, from the calling thread. What it throws leaves run() in
  /// the end.
  std::function<void(double)> progress = {};
};

struct RunResult {
  bool correct = false;     ///< every byte arrived, and is its origin's or the reduction's
  std::string first_error;  ///< where not correct: node, packet and place of the first wrong byte or element
  std::uint64_t rounds = 0;
  std::uint64_t bytes_moved = 0;    ///< over links, all hops of all nodes
  std::uint64_t bytes_checked = 0;  ///< at their destinations
  std::uint64_t memory_bytes = 0;   ///< all buffers of all nodes together
  /// Sums and products of floating-point numbers: the largest difference from the serial result, and the most
  /// that is right, both as a share of the sum of absolute values, or of the product. Else 0.
  double largest_rounding = 0;
  double rounding_bound = 0;
  unsigned threads = 0;  ///< used
  double seconds = 0;    ///< of the exchange alone
  /// The same bytes with memcpy, by the same threads, in pieces of the same size, over the same memory; the
  /// median of three times.
  double memcpy_seconds = 0;
};

/// Bytes of buffers that run() needs for `plan`; 2^64-1 if they are more.
/// @throws Error as run() does for the plan, the block size and the reduction.
std::uint64_t memory_needed(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction = {});

/// Runs `plan`, which should be valid (verify it first). One that is not does no harm: a hop whose sender
/// does not hold the packet moves nothing, and the result is not correct where something is missing or wrong
/// in the end.
/// @throws Error if block_bytes is 0 or no whole number of elements, the operation is not defined for the
/// type, a replicated plan has failures, packets are neither listed nor implied or lie outside the network,
/// memory_limit is exceeded, or the system does not give the memory or the threads.
RunResult run(const schedule::Plan& plan, const RunOptions& options);

}  // namespace isotrope::local
