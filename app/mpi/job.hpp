// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of MPI_COMM_WORLD as one program: one rank prints, and all exit with the same status.
#pragma once

#include <cstdint>
#include <functional>
#include <mpi.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rank_map.hpp"

#include "app/options.hpp"
#include "isotrope/mpi/job_places.hpp"

namespace isotrope::app {

/// Thrown on all ranks, after one rank has printed the error.
struct JobEnded {
  int status;
};

int job_rank();
int job_size();

/// Prints `text` on rank 0.
void say(const std::string& text);

/// Seconds of one call, the mean over `calls` calls that all ranks of `comm` begin together, on the slowest rank.
double slowest_seconds(unsigned calls, const std::function<void()>& call, MPI_Comm comm = MPI_COMM_WORLD);

/// A barrier whose waiting ranks leave the processors, and the memory of their hosts, to those that measure.
void meet_quietly();

/// The ranks of the job in their places on the network of the options: by --ranks, or else ISOTROPE_RANKS, the machine file or the hosts
/// (mpi/job_places.hpp). All ranks must call this together.
/// @param ranks_per_node 0: as the numbers of ranks and hosts say @param machine of the links of the nodes
/// @throws Error on all ranks: a file cannot be read, or numbers of ranks and nodes do not fit
mpi::PlacedJob placed_job(const NetworkOptions& network, const JobOptions& job, std::uint32_t ranks_per_node,
                          const mpi::JobMachine& machine = {});

/// The same for the network of a plan, which has the places.
network::RankMap ranks_of_plan(const NetworkOptions& network, const JobOptions& job,
                               const network::Network& places);

/// If any rank has an error, prints the error of the lowest such rank as one line on stderr.
/// @throws JobEnded with that status on all ranks in that case
void end_on_error(const std::optional<std::string>& error, int status = 2);

/// Returns the result of `work`, which must succeed on all ranks.
/// @throws JobEnded on all ranks if `work` throws Error on one of them
template <class Work>
auto on_all_ranks(const Work& work) {
  std::optional<decltype(work())> result;
  std::optional<std::string> error;
  try {
    result.emplace(work());
  } catch (const Error& found) {
    error = found.what();
  }
  end_on_error(error);
  return *std::move(result);
}

}  // namespace isotrope::app
