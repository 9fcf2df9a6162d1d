// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many calls of each collective the drop-in served, and how many it passed on to the MPI library.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace isotrope::pmpi {

/// The functions that the drop-in replaces.
enum class Interposed : std::uint8_t {
  bcast,
  scatter,
  gather,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  barrier
};
inline constexpr std::size_t interposed_count = 10;

/// May be used by several threads at once.
class CallCounters {
 public:
  void count(Interposed function, bool served) {
    auto& counter = counters_[2 * static_cast<std::size_t>(function) + (served ? 0 : 1)];
    counter.fetch_add(1, std::memory_order_relaxed);
  }
  /// A table with a line for each function that was called; the counts are those of the rank with most calls.
  /// All ranks of MPI_COMM_WORLD must call this; only the text of rank 0 is meaningful.
  std::string text() const;

 private:
  std::array<std::atomic<std::uint64_t>, 2 * interposed_count> counters_ = {};
};

}  // namespace isotrope::pmpi
