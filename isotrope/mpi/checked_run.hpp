// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan on the ranks of a communicator with blocks of pseudo-random bytes, checks every byte of the
// result, and measures every round.
//
// Rank r is node r, or the node that a rank map gives it. Reductions add bytes modulo 256. Blocks are the blocks of the plan: an allreduce that
// reduces one block at every node reduces a vector of N blocks for N nodes.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/schedule/plan.hpp"

namespace isotrope::mpi {

struct CheckedRunOptions {
  std::uint64_t block_bytes = 0;
  std::uint32_t repetitions = 5;  ///< at least 1; times are medians over them
  std::uint64_t seed = 1;         ///< of the contents of the blocks
  network::RankMap ranks = {};    ///< the node of every rank
};

/// The same on all ranks.
struct CheckedRun {
  bool correct = false;
  std::string first_error;            ///< of the lowest rank with a wrong byte; empty if correct
  double seconds = 0;                 ///< from a barrier to the end of the last rank
  std::vector<double> round_seconds;  ///< of each round on the slowest rank, from the end of the round before
  std::uint64_t bytes_sent = 0;       ///< by all ranks in one repetition
  std::uint64_t messages = 0;         ///< sent by all ranks in one repetition
};

/// All ranks must call this with the same valid plan (verify the plan first).
/// @throws Error on every rank if the number of ranks differs from the number of nodes of the plan's network,
/// if the rank map has another number of them,
/// or if the plan cannot be executed (rank/program.hpp)
CheckedRun run_plan_checked(MPI_Comm comm, const schedule::Plan& plan, const CheckedRunOptions& options);

}  // namespace isotrope::mpi
