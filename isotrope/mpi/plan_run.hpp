// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan on the ranks of a communicator with blocks of pseudo-random bytes, checks every byte that
// arrives, and takes the time of every round.
//
// Rank r is node r. What is combined is added modulo 256, byte by byte. Blocks are those of the plan: an
// allreduce that combines a block at every node reduces a vector of N blocks.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::mpi {

struct PlanRunOptions {
  std::uint64_t block_bytes = 0;
  std::uint32_t repetitions = 5;  ///< at least 1; times are medians over them
  std::uint64_t seed = 1;
};

/// The same on all ranks.
struct PlanRun {
  bool correct = false;
  std::string first_error;            ///< of the lowest rank with a wrong byte
  double seconds = 0;                 ///< from a barrier to the end of the last rank
  std::vector<double> round_seconds;  ///< from the end of the round before to its end, on the slowest rank
  std::uint64_t bytes_sent = 0;       ///< by all ranks in one repetition
  std::uint64_t messages = 0;         ///< so
};

/// To be called by all ranks with the same valid plan (verify it first).
/// @throws Error on every rank where the communicator has not as many ranks as the plan's network nodes, or
/// the plan cannot be executed (rank/program.hpp).
PlanRun run_plan(MPI_Comm comm, const schedule::Plan& plan, const PlanRunOptions& options);

}  // namespace isotrope::mpi
