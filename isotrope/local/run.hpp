// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan in this process: the nodes live on a pool of threads, each with real buffers of its own; hops copy (or
// combine) real bytes; every delivered byte is checked against its origin.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::local {

struct Options {
  std::uint64_t block_bytes = 0;    ///< bytes of one block; parts differ by at most a byte
  unsigned threads = 0;             ///< 0: one a core
  std::uint64_t memory_limit = 0;   ///< refuse what needs more bytes than this; 0: no limit
  std::uint64_t seed = 1;           ///< of the bytes sent
  std::function<void(double)> progress;  ///< called now and then with the share done, 0..1, from the calling thread
};

struct Result {
  bool correct = false;             ///< every byte arrived, and is its origin's
  std::string first_error;          ///< where not correct: node, packet and offset of the first wrong byte
  std::uint64_t rounds = 0;
  std::uint64_t bytes_moved = 0;    ///< over links, all hops of all nodes
  std::uint64_t bytes_checked = 0;  ///< at their destinations
  std::uint64_t memory_bytes = 0;   ///< all buffers of all nodes together
  unsigned threads = 0;
  double seconds = 0;               ///< of the exchange alone
  double memcpy_seconds = 0;        ///< the same bytes, by the same threads, in pieces of the same size, with memcpy
};

/// Bytes of buffers that run() needs for `plan`.
std::uint64_t memory_needed(const schedule::Plan& plan, std::uint64_t block_bytes);

/// Runs `plan`, which must be valid (verify it first).
/// @throws Error where block_bytes is 0, the plan has failures in a form it cannot run, or memory_limit is exceeded.
Result run(const schedule::Plan& plan, const Options& options);

}  // namespace isotrope::local
