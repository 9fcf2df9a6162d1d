// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The lines of the report for the neighbourhood collectives.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "isotrope/mpi/neighbour_arguments.hpp"

namespace isotrope::pmpi {

class NeighbourReport {
 public:
  static NeighbourReport& of_process();

  /// Counts a call that the drop-in served, or else passed on to the MPI library. Several threads may call this at once.
  void count(mpi::NeighbourCollective function, bool served) {
    counters_[2 * static_cast<std::size_t>(function) + (served ? 0 : 1)].fetch_add(1,
                                                                                   std::memory_order_relaxed);
  }
  /// A line for each function that was called, with the counts of the rank with most calls. All ranks of MPI_COMM_WORLD
  /// must call this; the lines are on rank 0.
  std::string lines() const;

 private:
  static constexpr std::size_t functions = 5;

  std::array<std::atomic<std::uint64_t>, 2 * functions> counters_ = {};
};

}  // namespace isotrope::pmpi
